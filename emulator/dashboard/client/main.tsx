import { render } from 'preact';
import { loadCatalogue } from './catalogue.js';
import { App } from './shell/app.js';
import { moveByInsertion } from './shell/moves.js';
import './style.css';

moveByInsertion();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
void loadCatalogue();

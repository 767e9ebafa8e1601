import { render } from 'preact';
import { loadCatalogue } from './catalogue.js';
import './shell/base.css';
import './shell/controls.css';
import './shell/shell.css';
import { App } from './shell/app.js';
import { moveByInsertion } from './shell/moves.js';

moveByInsertion();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
void loadCatalogue();

import { render } from 'preact';
import { loadCatalogue } from './catalogue.js';
import { App } from './shell/app.js';
import './style.css';

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
void loadCatalogue();

import { render } from 'preact';
import './shell/base.css';
import './shell/controls.css';
import './shell/shell.css';
import { App } from './shell/app.js';

// Preact then moves elements by `insertBefore`. Chromium 137 loses changed styles and new children of elements moved by
// `moveBefore`: a row shows another's colour, or nothing.
if ('moveBefore' in Element.prototype) Reflect.deleteProperty(Element.prototype, 'moveBefore');
const root = document.getElementById('app');
if (root !== null) render(<App />, root);

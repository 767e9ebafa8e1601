import { render } from 'preact';
import './style.css';

const root = document.getElementById('app');
if (root !== null) render(<main>Busbar</main>, root);

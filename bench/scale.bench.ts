export { measureScale as measure } from './scale/measure-scale.js';

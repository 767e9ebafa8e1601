export { measureConsuming as measure } from './consume/measure-consuming.js';

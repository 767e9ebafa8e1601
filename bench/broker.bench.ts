export { measure } from './broker/measure-broker.js';

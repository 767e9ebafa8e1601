/**
 * Changes of a cell for scenarios of your own. Each function changes the cell and returns the events that the platform
 * publishes about the change, so the state and the events agree.
 */
export { accountOnSupply } from '../books.js';
export { customerOf, homeOf } from '../customer.js';
export { createAgreement, terminateAgreement } from './agreements.js';
export { cancelLeave, completeLeave, requestLeave } from './leave-supplier.js';
export { postEntry } from './ledger.js';
export { removeNote, writeNote } from './metadata.js';
export { changePassword } from './sign-in.js';

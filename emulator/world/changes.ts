/**
 * Changes of a cell for scenarios of your own. Each function changes the cell and returns the events that the platform
 * publishes about the change, so the state and the events agree.
 */
export { accountOnSupply } from './billing/books.js';
export { customerOf, homeOf } from './customer/customer.js';
export { createAgreement, terminateAgreement } from './supply/agreements.js';
export { cancelLeave, completeLeave, requestLeave } from './supply/leave-supplier.js';
export { postEntry } from './billing/ledger.js';
export { removeNote, writeNote } from './customer/metadata.js';
export { changePassword } from './customer/sign-in.js';

/**
 * Every value that the specification leaves open, by domain and then by table. A list is drawn from with
 * `random.pick`, a table of weights with `random.weighted`; where values belong together, a row holds them all.
 */
export * as accounts from './accounts.js';
export * as addresses from './addresses.js';
export * as auth from './auth.js';
export * as billing from './billing.js';
export * as contact from './contact.js';
export * as contracts from './contracts.js';
export * as debt from './debt.js';
export * as disputes from './disputes.js';
export * as flex from './flex.js';
export * as dataImport from './import.js';
export * as meters from './meters.js';
export * as participants from './participants.js';
export * as platform from './platform.js';
export * as sales from './sales.js';
export * as supply from './supply.js';
export * as texas from './texas.js';
export * as vulnerability from './vulnerability.js';

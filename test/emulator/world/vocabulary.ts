/**
 * Every value that the specification leaves open, by domain and then by table. A list is drawn from with
 * `random.pick`, a table of weights with `random.weighted`; where values belong together, a row holds them all.
 */
export * as accounts from '../../../emulator/world/vocabulary/accounts.js';
export * as addresses from '../../../emulator/world/vocabulary/addresses.js';
export * as auth from '../../../emulator/world/vocabulary/auth.js';
export * as billing from '../../../emulator/world/vocabulary/billing.js';
export * as contact from '../../../emulator/world/vocabulary/contact.js';
export * as contracts from '../../../emulator/world/vocabulary/contracts.js';
export * as debt from '../../../emulator/world/vocabulary/debt.js';
export * as disputes from '../../../emulator/world/vocabulary/disputes.js';
export * as flex from '../../../emulator/world/vocabulary/flex.js';
export * as dataImport from '../../../emulator/world/vocabulary/import.js';
export * as meters from '../../../emulator/world/vocabulary/meters.js';
export * as participants from '../../../emulator/world/vocabulary/participants.js';
export * as platform from '../../../emulator/world/vocabulary/platform.js';
export * as sales from '../../../emulator/world/vocabulary/sales.js';
export * as supply from '../../../emulator/world/vocabulary/supply.js';
export * as texas from '../../../emulator/world/vocabulary/texas.js';
export * as vulnerability from '../../../emulator/world/vocabulary/vulnerability.js';

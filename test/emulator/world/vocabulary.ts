/**
 * Every value that the specification leaves open, by domain and then by table. A list is drawn from with
 * `random.pick`, a table of weights with `random.weighted`; where values belong together, a row holds them all.
 */
export * as customer from '../../../emulator/world/customer/words.js';
export * as roles from '../../../emulator/world/business/access-roles.js';
export * as billing from '../../../emulator/world/billing/words.js';
export * as contact from '../../../emulator/world/contact/words.js';
export * as contracts from '../../../emulator/world/contracts/words.js';
export * as debt from '../../../emulator/world/debt/words.js';
export * as disputes from '../../../emulator/world/industry/reading-words.js';
export * as flex from '../../../emulator/world/flex/words.js';
export * as dataImport from '../../../emulator/world/import/words.js';
export * as meters from '../../../emulator/world/industry/meter-words.js';
export * as participants from '../../../emulator/world/industry/participants.js';
export * as platform from '../../../emulator/world/storage.js';
export * as sales from '../../../emulator/world/sales/words.js';
export * as electricity from '../../../emulator/world/industry/electricity-words.js';
export * as vulnerability from '../../../emulator/world/customer/needs.js';

import { defined } from 'busbar/base';
import { after, type Occurrence, type Steps } from '../../engine/scenario.js';
import { importAddress } from '../../world/customer/addresses.js';
import type { Account, Cell, Property, SupplyPoint, User } from '../../world/cell.js';
import { enrolAccount, registerUser } from '../../world/customer/accounts.js';
import { createAgreement } from '../../world/supply/agreements.js';
import {
  addHome,
  announceImport,
  completeDryRun,
  completeImport,
  completeLaterImport,
  importOf,
  type ImportProcess,
  isUnderWay,
  startImport,
} from '../../world/import/data-import.js';
import { backfillThroughApi } from '../../world/industry/gas-meters.js';
import { postEntry } from '../../world/billing/ledger.js';
import { writeNote } from '../../world/customer/metadata.js';
import { registerElectricity } from '../../world/supply/registration.js';
import { contactDetails, reserveHome, setBillingDetails } from '../../world/customer/customer.js';
import { type Region, regions } from '../../world/identifiers.js';
import { importedMeters } from '../../world/industry/meters.js';
import { importedProfileClasses } from '../../world/energy/profile-classes.js';
import type { Supply } from '../../world/supplies.js';
import { platformWrites } from '../contact/contact-email.js';
import { emit, type Context } from '../define.js';
import type {
  AccountInput,
  ImportedAccount,
  ImportedHome,
  ImportedMeterPoint,
  ImportInput,
  NotesInput,
} from './import-input.js';

export function* importSentAccount(context: Context, input: ImportInput): Steps {
  switch (input.step) {
    case 'dry-run':
      return yield* dryRun(context, input);
    case 'import':
    case 'process':
      return yield* importAccount(context, input);
    case 'notes':
    case 'transactions':
      return yield* importLater(context, input);
  }
}

/** Publishes a dry run, without starting an import. */
function* dryRun({ cell }: Context, { external_number }: AccountInput): Steps {
  yield* after({ seconds: 1 }, { minutes: 5 });
  const imported = announceImport(cell, external_number);
  if (!isUnderWay(imported)) yield* emit(completeDryRun(imported));
}

/** Runs the dry run and the import, in the window or at once. A new attempt replaces an unfinished one. */
function* importAccount(context: Context, input: AccountInput): Steps {
  const { cell } = context;
  const { step, account: sent } = input;
  const before = importOf(cell, input.external_number);
  if (before !== undefined && isUnderWay(before)) return;
  const isDryRunDone = step === 'process' && before?.status === 'DRY_RUN_SUCCEEDED';
  const imported = startImport(cell, input);
  const { attempt } = imported;
  if (!isDryRunDone) {
    yield* after({ seconds: 1 }, step === 'process' ? { seconds: 5 } : { minutes: 5 });
    if (imported.attempt !== attempt) return;
    yield* emit(completeDryRun(imported));
  }
  yield* step === 'process' ? after({ seconds: 1 }, { minutes: 1 }) : after({ minutes: 1 }, { hours: 6 });
  if (imported.attempt !== attempt) return;

  imported.status = 'IN_PROGRESS';
  imported.accountType = sent.account_type;
  imported.salesChannel = sent.sales_channel;
  const homes = sent.homes.map((each) => importHome(cell, each));
  const supplies = homes.flatMap((each) => each.supplies);
  const account = yield* createAccount(context, imported, { sent, supplies });
  const registered = supplies.map(({ home, supplyPoint, point }) => {
    return { account, property: home, supplyPoint, from: point.supplied_from, to: undefined };
  });
  yield* registerSupplies(cell, registered);
  yield* after({ seconds: 1 }, { seconds: 20 });
  yield* emit(completeImport(cell, imported, account, homes));
  yield* followUp(context, imported, { account, sent });
}

interface ImportedSupply {
  readonly home: Property;
  readonly supplyPoint: SupplyPoint;
  readonly point: ImportedMeterPoint;
}

/** Adds a home with its address, meter points and meters. `from` is its first day of supply. */
function importHome(cell: Cell, { address, region, meter_points }: ImportedHome) {
  const home = addHome(cell, meter_points, regionOf(region));
  reserveHome(cell, home);
  importAddress(home, address);
  const supplies = home.supplyPoints.flatMap((supplyPoint, nth): ImportedSupply[] => {
    const point = meter_points[nth];
    return point === undefined ? [] : [{ home, supplyPoint, point }];
  });
  for (const { supplyPoint, point } of supplies) {
    importedMeters.set(supplyPoint, point.meters);
    if (point.profile_class !== undefined) importedProfileClasses.set(supplyPoint, point.profile_class);
  }
  return { home, supplies, from: Math.min(...meter_points.map(({ supplied_from }) => supplied_from)) };
}

function* createAccount(
  { cell, random }: Context,
  { externalNumber }: ImportProcess,
  { sent, supplies }: { readonly sent: ImportedAccount; readonly supplies: readonly ImportedSupply[] },
): Steps<Account> {
  const people = sent.customers.map(({ given, family, email }) => ({ name: { given, family }, email }));
  const { account, users, opened } = enrolAccount(cell, random, { people, isImported: true });
  for (const [nth, { mobile, landline, born }] of sent.customers.entries())
    contactDetails.set(users[nth] as User, defined({ mobile, landline, born }));
  if (sent.billing !== undefined) setBillingDetails(account, sent.billing);
  yield* announceAccount(users, opened);
  yield* fillAccount(cell, account, {
    agreements: supplies.map(({ supplyPoint, point: { product, agreed_from: from } }) => {
      return { supplyPoint, product, from };
    }),
    notes: [{ key: 'external_account_number', value: externalNumber }, ...sent.metadata],
    ...(sent.balance !== 0 && { balance: () => sent.balance }),
  });
  return account;
}

/** Publishes an imported account and its users. */
export function* announceAccount(users: readonly User[], opened: Occurrence): Steps {
  yield* emit(opened);
  for (const user of users) {
    yield* after({ milliseconds: 100 }, { seconds: 1 });
    yield* emit(registerUser(user, 'DATA_IMPORT'));
  }
}

interface AccountContents {
  readonly agreements: readonly Parameters<typeof createAgreement>[2][];
  readonly notes: readonly { readonly key: string; readonly value: string }[];
  /** Returns pence in the customer's favour; negative for a debt. Default: no balance. */
  readonly balance?: () => number;
}

/** Imports the agreements, the notes and the balance of an account. */
export function* fillAccount(
  cell: Cell,
  account: Account,
  { agreements, notes, balance }: AccountContents,
): Steps {
  for (const agreement of agreements) {
    yield* after({ milliseconds: 100 }, { seconds: 2 });
    yield* emit(createAgreement(cell, account, agreement).created);
  }
  for (const { key, value } of notes) {
    yield* after({ milliseconds: 100 }, { seconds: 1 });
    yield* emit(writeNote(cell, { account }, key, value).created);
  }
  if (balance === undefined) return;
  yield* after({ milliseconds: 100 }, { seconds: 1 });
  const pence = balance();
  const kind = pence > 0 ? 'credit' : 'charge';
  yield* emit(postEntry(cell, account, { kind, amount: Math.abs(pence), sourceType: 'DATA_IMPORT' }).posted);
}

/** Registers imported supplies to us from their first day. */
export function* registerSupplies(cell: Cell, supplies: readonly Supply[]): Steps {
  for (const supply of supplies) {
    const { account, supplyPoint, from } = supply;
    if (supplyPoint.market === 'GBR_ELECTRICITY') {
      yield* after({ seconds: 1 }, { minutes: 10 });
      yield* emit(registerElectricity(account, supplyPoint, { from, how: 'migration' }));
    } else {
      yield* after({ seconds: 1 }, { minutes: 1 });
      yield* emit(backfillThroughApi(cell, supply));
    }
  }
}

/** Sends the customer an e-mail if the supplier's settings ask for it, and imports notes and statements. */
function* followUp(
  context: Context,
  imported: ImportProcess,
  { account, sent }: { readonly account: Account; readonly sent: ImportedAccount },
): Steps {
  const [user] = account.users;
  if (sent.customer_emails && user !== undefined) {
    yield* after({ seconds: 10 }, { minutes: 10 });
    yield* platformWrites(context, { account, user }, { channel: 'EMAIL', topic: 'tariff' });
  }
  if (sent.notes.length > 0) {
    yield* after({ seconds: 10 }, { hours: 1 });
    yield* emit(importNotes(imported, account, sent.notes));
  }
  if (sent.statements.length > 0) {
    yield* after({ seconds: 10 }, { hours: 1 });
    imported.statements.push(...sent.statements);
    yield* emit(completeLaterImport(imported, 'HISTORICAL_STATEMENT', account));
  }
}

function importNotes(imported: ImportProcess, account: Account, notes: NotesInput['notes']): Occurrence {
  imported.notes.push(...notes.map(({ reference: _, ...note }) => note));
  return completeLaterImport(imported, 'NOTE', account);
}

function* importLater({ cell }: Context, input: Exclude<ImportInput, AccountInput>): Steps {
  const imported = importOf(cell, input.external_number);
  const account = imported?.account;
  if (imported === undefined || account === undefined) return;
  for (const entry of input.step === 'transactions' ? input.entries : []) {
    yield* after({ milliseconds: 100 }, { seconds: 1 });
    yield* emit(postEntry(cell, account, { ...entry, sourceType: 'DATA_IMPORT' }).posted);
  }
  yield* after({ seconds: 10 }, { minutes: 1 });
  if (input.step === 'notes') yield* emit(importNotes(imported, account, input.notes));
  else yield* emit(completeLaterImport(imported, 'TRANSACTION', account));
}

function regionOf(region: string): Region {
  const found = regions.find(({ letter }) => letter === region);
  if (found === undefined) throw new Error(`no network has region "${region}"`);
  return found;
}

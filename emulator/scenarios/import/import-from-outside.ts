import { after, type Branches, type Occurrence, type Stage, type Steps } from '../../engine/scenario.js';
import { giveAddress } from '../../world/addresses.js';
import type { Account, Cell, Property, SupplyPoint, User } from '../../world/cell.js';
import { enrolAccount, registerUser } from '../../world/changes/accounts.js';
import { createAgreement } from '../../world/changes/agreements.js';
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
} from '../../world/changes/data-import.js';
import { backfillThroughApi } from '../../world/changes/gas-meters.js';
import { postEntry } from '../../world/changes/ledger.js';
import { writeNote } from '../../world/changes/metadata.js';
import { registerElectricity } from '../../world/changes/registration.js';
import { giveBillingDetails, giveContactDetails } from '../../world/contact-details.js';
import { giveProfileClass, hangMeters } from '../../world/given-meters.js';
import { reserveHome } from '../../world/homes.js';
import { type Region, regions } from '../../world/identifiers.js';
import { platformWrites } from '../contact/contact-email.js';
import { emit } from '../define.js';
import type {
  AccountInput,
  ImportedAccount,
  ImportedHome,
  ImportedMeterPoint,
  ImportInput,
  NotesInput,
  TransactionsInput,
} from './import-input.js';

type Telling = Pick<Stage<Cell, Branches>, 'cell' | 'random' | 'calendar' | 'now'>;

/** What somebody outside has sent about an account, and was accepted, happens: nothing is made up or drawn. */
export function* importFromOutside(stage: Telling, input: ImportInput): Steps {
  switch (input.step) {
    case 'dry-run':
      return yield* rehearse(stage, input);
    case 'import':
    case 'process':
      return yield* importAccount(stage, input);
    case 'notes':
    case 'transactions':
      return yield* importLater(stage, input);
  }
}

/** A rehearsal on its own: the import, where there is one, stays as it is. */
function* rehearse({ cell }: Telling, { external_number }: AccountInput): Steps {
  yield* after({ seconds: 1 }, { minutes: 5 });
  const imported = announceImport(cell, external_number);
  if (!isUnderWay(imported)) yield* emit(completeDryRun(imported));
}

/** The rehearsal and the import: in the window, or at once. What is sent again meanwhile takes its place. */
function* importAccount(stage: Telling, input: AccountInput): Steps {
  const { cell } = stage;
  const { step, account: sent } = input;
  const before = importOf(cell, input.external_number);
  if (before !== undefined && isUnderWay(before)) return;
  const isRehearsed = step === 'process' && before?.status === 'DRY_RUN_SUCCEEDED';
  const imported = startImport(cell, input);
  const { attempt } = imported;
  if (!isRehearsed) {
    yield* after({ seconds: 1 }, step === 'process' ? { seconds: 5 } : { minutes: 5 });
    if (imported.attempt !== attempt) return;
    yield* emit(completeDryRun(imported));
  }
  yield* step === 'process' ? after({ seconds: 1 }, { minutes: 1 }) : after({ minutes: 1 }, { hours: 6 });
  if (imported.attempt !== attempt) return;

  imported.status = 'IN_PROGRESS';
  imported.accountType = sent.account_type;
  imported.salesChannel = sent.sales_channel;
  const homes = sent.homes.map((each) => settle(cell, each));
  const supplies = homes.flatMap((each) => each.supplies);
  const account = yield* bringAccount(stage, imported, { sent, supplies });
  yield* bringSupply(stage, account, supplies);
  yield* after({ seconds: 1 }, { seconds: 20 });
  yield* emit(completeImport(cell, imported, account, { homes, today: stage.calendar.dayAt(stage.now) }));
  yield* followUp(stage, imported, { account, sent });
}

/** What came with a supply point of a home. */
interface ImportedSupply {
  readonly home: Property;
  readonly supplyPoint: SupplyPoint;
  readonly point: ImportedMeterPoint;
}

/** A home with its address, meter points and meters, as they were sent: the account will live there from that day on. */
function settle(cell: Cell, { address, region, meter_points }: ImportedHome) {
  const home = addHome(cell, meter_points, regionOf(region));
  reserveHome(cell, home);
  giveAddress(home, address);
  const supplies = home.supplyPoints.flatMap((supplyPoint, nth): ImportedSupply[] => {
    const point = meter_points[nth];
    return point === undefined ? [] : [{ home, supplyPoint, point }];
  });
  for (const { supplyPoint, point } of supplies) {
    hangMeters(supplyPoint, point.meters);
    if (point.profile_class !== undefined) giveProfileClass(supplyPoint, point.profile_class);
  }
  return { home, supplies, from: Math.min(...meter_points.map(({ supplied_from }) => supplied_from)) };
}

/** The account with its people, agreements, metadata and balance. */
function* bringAccount(
  { cell, random }: Telling,
  { externalNumber }: ImportProcess,
  { sent, supplies }: { readonly sent: ImportedAccount; readonly supplies: readonly ImportedSupply[] },
): Steps<Account> {
  const people = sent.customers.map(({ given, family, email }) => ({ name: { given, family }, email }));
  const { account, users, opened } = enrolAccount(cell, random, { people, isImported: true });
  for (const [nth, { mobile, landline, born }] of sent.customers.entries()) {
    giveContactDetails(users[nth] as User, {
      ...(mobile !== undefined && { mobile }),
      ...(landline !== undefined && { landline }),
      ...(born !== undefined && { born }),
    });
  }
  if (sent.billing !== undefined) giveBillingDetails(account, sent.billing);
  yield* emit(opened);
  for (const user of users) {
    yield* after({ milliseconds: 100 }, { seconds: 1 });
    yield* emit(registerUser(user, 'DATA_IMPORT'));
  }
  for (const { supplyPoint, point } of supplies) {
    yield* after({ milliseconds: 100 }, { seconds: 2 });
    const supply = { supplyPoint, product: point.product, from: point.agreed_from };
    yield* emit(createAgreement(cell, account, supply).created);
  }
  const metadata = [{ key: 'external_account_number', value: externalNumber }, ...sent.metadata];
  for (const { key, value } of metadata) {
    yield* after({ milliseconds: 100 }, { seconds: 1 });
    yield* emit(writeNote(cell, { account }, key, value).created);
  }
  if (sent.balance !== 0) {
    yield* after({ milliseconds: 100 }, { seconds: 1 });
    const kind = sent.balance > 0 ? 'credit' : 'charge';
    const entry = { kind, amount: Math.abs(sent.balance), sourceType: 'DATA_IMPORT' } as const;
    yield* emit(postEntry(cell, account, entry).posted);
  }
  return account;
}

/** The supply points are registered to us from the day on which supply begins. */
function* bringSupply({ cell }: Telling, account: Account, supplies: readonly ImportedSupply[]): Steps {
  for (const { home, supplyPoint, point } of supplies) {
    const from = point.supplied_from;
    if (supplyPoint.market === 'GBR_ELECTRICITY') {
      yield* after({ seconds: 1 }, { minutes: 10 });
      yield* emit(registerElectricity(account, supplyPoint, { from, how: 'migration' }));
    } else {
      yield* after({ seconds: 1 }, { minutes: 1 });
      const supply = { account, property: home, supplyPoint, from, to: undefined };
      yield* emit(backfillThroughApi(cell, supply));
    }
  }
}

/** The customer hears of it, where the supplier's behaviours say so; what came with the account follows. */
function* followUp(
  stage: Telling,
  imported: ImportProcess,
  { account, sent }: { readonly account: Account; readonly sent: ImportedAccount },
): Steps {
  const [user] = account.users;
  if (sent.customer_emails && user !== undefined) {
    yield* after({ seconds: 10 }, { minutes: 10 });
    yield* platformWrites(stage, { account, user }, { channel: 'EMAIL', topic: 'tariff' });
  }
  if (sent.notes.length > 0) {
    yield* after({ seconds: 10 }, { hours: 1 });
    yield* emit(bringNotes(imported, account, sent.notes));
  }
  if (sent.statements.length > 0) {
    yield* after({ seconds: 10 }, { hours: 1 });
    imported.statements.push(...sent.statements);
    yield* emit(completeLaterImport(imported, 'HISTORICAL_STATEMENT', account));
  }
}

function bringNotes(imported: ImportProcess, account: Account, notes: NotesInput['notes']): Occurrence {
  imported.notes.push(...notes.map(({ reference: _, ...note }) => note));
  return completeLaterImport(imported, 'NOTE', account);
}

/** Notes or transactions of an account that is here. */
function* importLater({ cell }: Telling, input: Exclude<ImportInput, AccountInput>): Steps {
  const imported = importOf(cell, input.external_number);
  const account = imported?.account;
  if (imported === undefined || account === undefined) return;
  for (const entry of entriesOf(input)) {
    yield* after({ milliseconds: 100 }, { seconds: 1 });
    yield* emit(postEntry(cell, account, { ...entry, sourceType: 'DATA_IMPORT' }).posted);
  }
  yield* after({ seconds: 10 }, { minutes: 1 });
  if (input.step === 'notes') yield* emit(bringNotes(imported, account, input.notes));
  else yield* emit(completeLaterImport(imported, 'TRANSACTION', account));
}

function entriesOf(input: Exclude<ImportInput, AccountInput>): TransactionsInput['entries'] {
  return input.step === 'transactions' ? input.entries : [];
}

function regionOf(region: string): Region {
  const found = regions.find(({ letter }) => letter === region);
  if (found === undefined) throw new Error('a region that no network has');
  return found;
}

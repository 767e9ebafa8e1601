import { after, parallel, type ScenarioContext, type Steps, until } from '../../engine/scenario.js';
import type { Day } from '../../engine/time.js';
import type { Account, Cell, Property } from '../../world/cell.js';
import { enrolAccount } from '../../world/customer/accounts.js';
import {
  cancelImport,
  completeDryRun,
  completeImport,
  completeLaterImport,
  failDryRun,
  failImport,
  failLaterImport,
  type ImportProcess,
  startImport,
} from '../../world/import/data-import.js';
import { registerNeeds } from '../../world/customer/priority-services.js';
import { freeHome, reserveHome } from '../../world/customer/customer.js';
import { type ImportError, importErrors, laterResources } from '../../world/import/words.js';
import { anyKey } from '../../world/weights.js';
import { billBeforeRun } from '../billing/billing-cycle.js';
import { defineScenario, emit } from '../define.js';
import { joiningProduct } from '../supply/joining.js';
import { announceAccount, fillAccount, importSentAccount, registerSupplies } from './import-sent-account.js';
import { readImportInput } from './import-input.js';

const branches = {
  outcome: { completed: 0.9, 'dry-run-failed': 0.02, corrected: 0.04, failed: 0.03, cancelled: 0.01 },
  needs: { none: 0.88, registered: 0.12 },
  backfill: { absent: 0.5, sent: 0.5 },
  later: { completed: 0.912, partly: 0.038, failed: 0.002, none: 0.048 },
} as const;

export const dataImportAccount = defineScenario({
  name: 'data-import-account',
  title: 'An account is migrated to us from another supplier',
  description:
    'An account of another supplier is imported on an evening of the migration: first as a rehearsal, then for real, ' +
    'with its people, agreements and balance. Notes, transactions and old statements follow within days. What fails ' +
    'in the rehearsal is corrected and sent again, or given up; an import that does not run in its window is cancelled.',
  rate: 40,
  lead: 10,
  starts: 'evening-batch',
  branches,
  parseInput: readImportInput,
  *run(context) {
    if (context.input !== undefined) return yield* importSentAccount(context, context.input);
    const { cell, branch, random } = context;
    const home = freeHome(cell);
    if (home === undefined) return;
    const imported = startImport(cell);
    yield* after({ seconds: 1 }, { minutes: 5 });
    if (branch.outcome === 'dry-run-failed' || branch.outcome === 'corrected') {
      yield* emit(failDryRun(imported, anyError(context)));
      if (branch.outcome === 'dry-run-failed') return;
      yield* after({ hours: 1 }, { days: 3 }, 'evening-batch');
    }
    yield* emit(completeDryRun(imported));
    if (branch.outcome === 'cancelled') return yield* letWindowClose(context, imported);
    yield* after({ minutes: 1 }, { hours: 6 });
    if (branch.outcome === 'failed') return yield* emit(failImport(imported, anyError(context)));

    const from = cell.today + random.integer(1, 5);
    const account = yield* createAccount(context, imported, { home, from });
    const supplies = home.supplyPoints
      .filter(({ market }) => market === 'GBR_ELECTRICITY' || branch.backfill === 'sent')
      .map((supplyPoint) => ({ account, property: home, supplyPoint, from, to: undefined }));
    yield* registerSupplies(cell, supplies);
    yield* after({ seconds: 1 }, { seconds: 20 });
    yield* emit(completeImport(cell, imported, account, [{ home, from }]));
    yield* parallel(importLaterResources(context, imported, account), billBeforeRun(context, account));
  },
});

type AccountImport = ScenarioContext<Cell, typeof branches>;

/** Cancels the import when its window closes: at midnight, some days later. */
function* letWindowClose({ cell, calendar, random }: AccountImport, imported: ImportProcess): Steps {
  const closes = calendar.instantOf(cell.today + random.integer(1, 7));
  yield* until(closes);
  yield* after({ seconds: 1 }, { minutes: 5 });
  yield* emit(cancelImport(imported, closes));
}

function* createAccount(
  { cell, branch, random }: AccountImport,
  imported: ImportProcess,
  { home, from }: { readonly home: Property; readonly from: Day },
): Steps<Account> {
  const customers = random.chance(0.3) ? 2 : 1;
  reserveHome(cell, home);
  const { account, users, opened } = enrolAccount(cell, random, { customers, isImported: true });
  yield* announceAccount(users, opened);
  const [holder] = users;
  if (branch.needs === 'registered' && holder !== undefined) {
    yield* after({ milliseconds: 100 });
    yield* emit(registerNeeds(cell, holder, random));
  }
  yield* fillAccount(cell, account, {
    agreements: home.supplyPoints.map((supplyPoint) => {
      return { supplyPoint, product: joiningProduct(cell, supplyPoint, from), from };
    }),
    notes: [{ key: 'external_account_number', value: imported.externalNumber }],
    balance: () => (random.chance(0.4) ? -1 : 1) * random.integer(100, 40_000),
  });
  return account;
}

/** Imports one to three resources after the account, one of which may fail. */
function* importLaterResources(context: AccountImport, imported: ImportProcess, account: Account): Steps {
  const { branch, random } = context;
  if (branch.later === 'completed' || branch.later === 'partly') {
    for (let left = random.integer(1, 3); left > 0; left--) {
      yield* after({ seconds: 10 }, { days: 1 });
      yield* emit(completeLaterImport(imported, random.weighted(laterResources), account));
    }
  }
  if (branch.later === 'partly' || branch.later === 'failed') {
    yield* after({ seconds: 10 }, { days: 1 });
    yield* emit(failLaterImport(imported, random.weighted(laterResources), anyError(context)));
  }
}

function anyError({ random }: AccountImport): ImportError {
  return anyKey(random, importErrors);
}

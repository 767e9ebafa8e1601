import { silentLogger } from 'busbar/base';
import type { Catalogue, platformApi } from 'busbar/catalogue';
import type { Account, Bill, Cell } from '../control-api/generated/operations.js';
import { defaultStart } from '../engine/calendar.js';
import { day } from '../engine/time.js';
import type { PlanOptions } from '../run/plan.js';
import { everyday } from '../scenarios/find.js';
import { type HttpReader, httpReader, inTurns, watching, world } from '../start/http-reader.js';
import { startEmulator } from '../start/start-emulator.js';
import { type Judged, judge } from './judge.js';
import { type SeenAccount, seeAccount, seeNewAgreements, type Traits } from './see-account.js';
import { seeBills, seeStandingCharges } from './see-bills.js';
import { watchStream } from './see-event.js';
import { seePrices } from './see-prices.js';
import { Tally } from './tally.js';

interface CalibrateOptions {
  readonly accounts: number;
  readonly days: number;
  readonly seed: number;
  readonly catalogue: Catalogue;
  /** Mix and rates, instead of the usual. */
  readonly world?: Pick<PlanOptions, 'mix' | 'rates'>;
  /** Receives the number of accounts that have been read, and of events. */
  readonly onProgress?: (accounts: number, events: number) => void;
}

/** Plays a population and measures it over HTTP and the stream alone. */
export async function calibrate(options: CalibrateOptions): Promise<readonly Judged[]> {
  const { accounts, days, seed, catalogue, onProgress } = options;
  const start = defaultStart;
  const tally = new Tally();
  const traits = new Map<string, Traits>();
  const opened: string[] = [];
  const standing = new Map<string, number>();
  const watch = watchStream({ start, tally, catalogue }, (account) => traits.get(account));
  const emulator = await startEmulator({
    ...options.world,
    scenario: everyday,
    accounts,
    seed,
    start,
    duration: days * day,
    catalogue,
    speed: 'instant',
    http: { port: 0 },
    logger: silentLogger,
    run: { paused: true },
    sinks: [
      watching((events) => {
        for (const event of events) {
          watch(event);
          if (event.envelope.event_type === 'account.created') opened.push(event.key);
        }
        onProgress?.(traits.size, tally.count('events'));
      }),
    ],
  });
  try {
    const reader = httpReader(emulator);
    const products = await reader.products();
    await seePrices(products, reader, tally);
    const cells = Array.from({ length: accounts }, (_, index) => index + 1);
    for await (const opening of inTurns(cells, (cell) => accountsIn(reader, cell))) {
      for (const { account, bills } of opening) {
        const seen = seeAccount(account, start, products, tally);
        if (seen === undefined) continue;
        traits.set(account.number, seen);
        seeBills(account, bills, seen, { now: start, tally, standing });
      }
      onProgress?.(traits.size, 0);
    }
    seeStandingCharges(standing, tally);
    emulator.run.resume();
    await emulator.finished;
    const numbers = [...traits.keys(), ...opened];
    for await (const account of inTurns(numbers, (number) => accountOf(reader, number)))
      seeNewAgreements(account, [start, start + days * day], tally);
  } finally {
    await emulator.stop();
  }
  return judge(tally, days);
}

async function accountsIn(reader: HttpReader, nth: number) {
  const { cell } = await reader.read<{ cell: Cell }>(`${world}/cells/${nth}`);
  const accounts = [];
  for (const { number } of cell.accounts) {
    const { bills } = await reader.read<{ bills: Bill[] }>(`${world}/accounts/${number}/bills`);
    accounts.push({ account: await accountOf(reader, number), bills });
  }
  return accounts;
}

async function accountOf({ read }: HttpReader, number: string): Promise<SeenAccount> {
  const { account } = await read<{ account: Account }>(`${world}/accounts/${number}`);
  const { payment_method, ledgers } = account;
  return { ...(await read<platformApi.Account>(`/v1/accounts/${number}/`)), payment_method, ledgers };
}

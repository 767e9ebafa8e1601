import { silentLogger } from 'busbar/base';
import type { Catalogue, platformApi } from 'busbar/catalogue';
import { defaultStart } from '../engine/calendar.js';
import { day } from '../engine/time.js';
import type { PlanOptions } from '../run/plan.js';
import { everyday } from '../scenarios/find.js';
import { type HttpReader, httpReader } from '../start/http-reader.js';
import { startEmulator } from '../start/start-emulator.js';
import { type Judged, judge } from './judge.js';
import { type SeenAccount, seeAccount, seeNewAgreements, type Traits } from './see-account.js';
import { type SeenBill, seeBills, seeStandingCharges } from './see-bills.js';
import { watchStream } from './see-event.js';
import { seePrices } from './see-prices.js';
import { Tally } from './tally.js';

export interface CalibrateOptions {
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
      {
        name: 'calibrate',
        write(events) {
          for (const event of events) {
            watch(event);
            if (event.envelope.event_type === 'account.created') opened.push(event.key);
          }
          onProgress?.(traits.size, tally.count('events'));
        },
        end: () => undefined,
        close: () => Promise.resolve(),
      },
    ],
  });
  try {
    const reader = httpReader(emulator);
    const { read } = reader;
    const list = async <T>(path: string) => (await reader.list<T>(`${path}?page_size=100`)).results;
    const all = await list<platformApi.Product>('/v1/products/');
    const products = new Map(all.map((product) => [product.code, product]));
    await seePrices(products, (path) => list(`/v1/${path}`), tally);
    await inTurns(accounts, async (nth) => {
      const { cell } = await read<{ cell: { accounts: { number: string }[] } }>(
        `/emulator/v1/world/cells/${nth}`,
      );
      for (const { number } of cell.accounts) {
        const account = await accountOf(reader, number);
        const seen = seeAccount(account, start, products, tally);
        if (seen === undefined) continue;
        traits.set(number, seen);
        const { bills } = await read<{ bills: SeenBill[] }>(`/emulator/v1/world/accounts/${number}/bills`);
        seeBills(account, bills, seen, { now: start, tally, standing });
      }
      onProgress?.(traits.size, 0);
    });
    seeStandingCharges(standing, tally);
    emulator.run.resume();
    await emulator.finished;
    const numbers = [...traits.keys(), ...opened];
    await inTurns(numbers.length, async (nth) => {
      seeNewAgreements(
        await accountOf(reader, numbers[nth - 1] as string),
        [start, start + days * day],
        tally,
      );
    });
  } finally {
    await emulator.stop();
  }
  return judge(tally, days);
}

async function accountOf({ read }: HttpReader, number: string): Promise<SeenAccount> {
  const { account } = await read<{ account: SeenAccount }>(`/emulator/v1/world/accounts/${number}`);
  const { payment_method, ledgers } = account;
  return { ...(await read<platformApi.Account>(`/v1/accounts/${number}/`)), payment_method, ledgers };
}

/** Calls `work` with 1, 2, ... `count`, a few at a time. */
async function inTurns(count: number, work: (nth: number) => Promise<void>): Promise<void> {
  let next = 1;
  const worker = async () => {
    while (next <= count) await work(next++);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

import { once, silentLogger } from 'busbar/base';
import type { Catalogue, platformApi } from 'busbar/catalogue';
import { defaultStart } from '../engine/calendar.js';
import { day, formatInstant, type Instant } from '../engine/time.js';
import { accountsNamed } from '../invariants/accounts.js';
import { switched } from '../invariants/electricity.js';
import type { StreamEvent } from '../invariants/invariant.js';
import { identifier } from '../invariants/payload.js';
import {
  type HttpReader,
  httpReader,
  inTurns,
  type Page,
  productCodeOf,
  watching,
  world,
} from '../start/http-reader.js';
import { startEmulator } from '../start/start-emulator.js';
import {
  instantOfLine,
  isByHalfHour,
  meterPointsOf,
  ratesAt,
  type Served,
  type ServedAccount,
  type Bill,
  type Rate,
  type Reading,
  type Switch,
} from './served.js';
import type * as own from '../control-api/generated/operations.js';
import type { OutgoingEvent } from '../run/outgoing-event.js';
import type { PlanOptions } from '../run/plan.js';

/**
 * Plays a run up to its last event, and reads what HTTP returns about the accounts that its events name, as an outsider
 * could.
 */
export async function* readServed(
  { start = defaultStart, duration = Infinity, until = start + duration, ...plan }: PlanOptions,
  lastEvent: Instant,
  catalogue: Catalogue,
): AsyncGenerator<Served, void, void> {
  const openings = new Map<string, Opening>();
  const switches = new Map<string, Switch[]>();
  let [last, earlier]: (OutgoingEvent | undefined)[] = [];

  function see(event: OutgoingEvent): void {
    if (last !== undefined && last.at < event.at) earlier = last;
    last = event;
    if (event.envelope.event_type === switched) addSwitch(switches, event.envelope);
    for (const number of new Set([event.key, ...accountsNamed(event.envelope)])) {
      if (!number?.startsWith('A-')) continue;
      const opening = openings.get(number);
      if (opening === undefined && openings.size < maxAccounts)
        openings.set(number, { before: earlier, events: [event] });
      else if (opening?.events[0]?.at === event.at) opening.events.push(event);
    }
  }

  if (lastEvent < start) return;
  const emulator = await startEmulator({
    ...plan,
    start,
    until: Math.min(until, lastEvent + 1),
    catalogue,
    // The delivery does not belong to the world.
    maskFaults: () => false,
    kafka: false,
    http: { port: 0 },
    speed: 'instant',
    logger: silentLogger,
    sinks: [watching((events) => events.forEach(see))],
  });
  try {
    await emulator.idle();
    const reader = servedReader(httpReader(emulator), formatInstant(lastEvent), switches);
    for await (const served of inTurns([...openings], (account) => reader(...account)))
      if (served !== undefined) yield served;
  } finally {
    await emulator.stop();
  }
}

/** Maximum number of accounts that are read: the first in the stream. */
const maxAccounts = 20_000;

function addSwitch(switches: Map<string, Switch[]>, event: Pick<StreamEvent, 'payload'>): void {
  const mpan = identifier(event, 'mpan') ?? '';
  const on = identifier(event, 'effective_from') ?? '';
  const isOff = identifier(event, 'energisation_status') === 'D';
  switches.set(mpan, [...(switches.get(mpan) ?? []), { on, isOff }]);
}

/** First events of an account, and the last event before their instant. */
interface Opening {
  readonly events: OutgoingEvent[];
  readonly before: OutgoingEvent | undefined;
}

/** Returns a function that reads what is served about an account, or undefined for an account that does not exist. */
function servedReader({ find, read, list, ...reader }: HttpReader, at: string, switches: Served['switches']) {
  const products = once(reader.products);
  const rates = new Map<string, Rate[]>();
  const tariffs = new Set<string>();

  /** Reads the rates that the agreements and bills of an account need, if no other account has. */
  async function readRates(served: Pick<Served, 'account' | 'bills'>): Promise<void> {
    for (const { tariff_code, valid_from } of agreementsOf(served)) await readRate(tariff_code, valid_from);
    for (const { tariff, ...line } of served.bills.flatMap(({ charges }) =>
      charges.flatMap(({ lines }) => lines),
    ))
      if (!isByHalfHour(rates.get(tariff))) await readRate(tariff, instantOfLine(line));
  }

  /** Reads the rates of a tariff at an instant. Reads a year, unless the tariff is new or changes by the half-hour. */
  async function readRate(tariff: string, at: string): Promise<void> {
    if (ratesAt({ rates }, tariff, at).some(({ kind }) => kind !== 'standing')) return;
    const known = rates.get(tariff) ?? [];
    const instant = Date.parse(at);
    const reach = known.length === 0 || isByHalfHour(known) ? 0 : 182 * day;
    const [from, to] = [instant - reach, instant + reach + 1].map(formatInstant);
    // An agreement may begin after the run's last event.
    const path = `${world}/tariffs/${tariff}?at=${to}&from=${from}&to=${to}`;
    rates.set(tariff, known);
    known.push(...((await find<{ rates: Rate[] }>(path))?.rates ?? []));
  }

  async function unitRatesFor(served: Pick<Served, 'account'>) {
    const unitRates = new Map<string, Page<platformApi.UnitRate>>();
    for (const { tariff_code: tariff } of agreementsOf(served)) {
      if (tariffs.has(tariff) || !tariff.startsWith('E-1R')) continue;
      tariffs.add(tariff);
      const path = `products/${productCodeOf(tariff)}/electricity-tariffs/${tariff}/standard-unit-rates/`;
      unitRates.set(tariff, await list(`/v1/${path}?page_size=1500`, 1));
    }
    return unitRates;
  }

  /** Returns what is served about an account now, or just after an event. */
  async function accountAt(number: string, event?: OutgoingEvent): Promise<ServedAccount | undefined> {
    const headers: Record<string, string> = event === undefined ? {} : { 'busbar-at': event.envelope.id };
    const query = event === undefined ? '' : `?at=${formatInstant(event.at)}`;
    const path = `${world}/accounts/${number}`;
    const account = await find<platformApi.Account>(`/v1/accounts/${number}/`, headers);
    const own = await find<{ account: own.Account }>(path + query);
    const listed = await find<{ bills: Bill[] }>(`${path}/bills${query}`);
    if (account === undefined || own === undefined || listed === undefined) return undefined;
    return { account, own: own.account, bills: listed.bills };
  }

  async function entriesOf({ number, ledgers }: own.Account): Promise<Served['entries']> {
    const entries = new Map<string, own.LedgerEntry[]>();
    for (const ledger of ledgers) {
      const path = `${world}/accounts/${number}/ledgers/${ledger.number}/entries`;
      entries.set(ledger.number, (await read<own.Operations['listLedgerEntries']['response']>(path)).entries);
    }
    return entries;
  }

  async function readingsFor(number: string, { bills }: Pick<Served, 'bills'>) {
    const points = bills.flatMap(({ charges }) => charges.map(({ meter_point }) => meter_point));
    const readings = new Map<string, readonly Reading[]>();
    for (const point of new Set(points)) {
      const path = `${world}/accounts/${number}/meter-points/${point}/readings`;
      readings.set(point, (await find<{ readings: Reading[] }>(path))?.readings ?? []);
    }
    return readings;
  }

  return async (number: string, { before, events }: Opening): Promise<Served | undefined> => {
    const served = await accountAt(number);
    if (served === undefined) return undefined;
    await readRates(served);
    const { account, own, bills } = served;
    return {
      at,
      account,
      bills,
      rates,
      own,
      entries: await entriesOf(own),
      readings: await readingsFor(number, served),
      products: await products(),
      unitRates: await unitRatesFor(served),
      switches,
      first: {
        events: events.map(({ envelope: { event_type: type, payload } }) => ({ type, payload })),
        before: before && (await accountAt(number, before)),
        after: await accountAt(number, events[0]),
      },
    };
  };
}

function agreementsOf(served: Pick<Served, 'account'>) {
  return meterPointsOf(served).flatMap(({ agreements }) => agreements);
}

import { DateTime } from 'luxon';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { platformApi } from '../../../catalogue/index.js';
import { type OutgoingEvent, type EmulatorOptions } from '../../../emulator/index.js';
import { watching } from '../../../emulator/start/http-reader.js';
import { cases } from '../../cases.js';
import { accountOf, send } from './data-import-payloads.js';
import { apiKey, basic, serve } from './serve.js';

/** The parts of an account that both the stream and the REST API contain. */
interface State {
  status: string;
  /** `tariff from to` by id of the agreement. */
  agreements: Record<string, string>;
  /** `in out` by supply point. */
  homes: Record<string, string>;
}

type Payload = Readonly<Record<string, unknown>>;
interface Point {
  readonly external_identifier: string;
  readonly confirmed_supply_start_date: string;
  readonly confirmed_supply_end_date: string;
}

const dateIn = (instant: string | null) =>
  instant === null ? '-' : (DateTime.fromISO(instant, { zone: 'Europe/London' }).toISODate() ?? '?');

/** Returns the parts of an account of the REST API that the stream contains. */
function reduced({ status, properties }: platformApi.Account): State {
  const points = properties.flatMap((home) =>
    [
      ...home.electricity_meter_points.map(({ mpan, agreements, is_export }) => ({
        id: mpan,
        agreements,
        is_export,
      })),
      ...home.gas_meter_points.map(({ mprn, agreements }) => ({ id: mprn, agreements, is_export: false })),
    ].map((point) => ({ ...point, home })),
  );
  return {
    status,
    agreements: Object.fromEntries(
      points.flatMap(({ agreements }) =>
        agreements.map(({ id, tariff_code, valid_from, valid_to }) => [
          id,
          `${tariff_code.slice(5, -2)} ${dateIn(valid_from)} ${dateIn(valid_to)}`,
        ]),
      ),
    ),
    homes: Object.fromEntries(
      points
        // Processes list no meter points for export.
        .filter(({ home, is_export }) => home.moved_in_at !== null && !is_export)
        .map(({ id, home }) => [id, `${dateIn(home.moved_in_at)} ${dateIn(home.moved_out_at)}`]),
    ),
  };
}

/** The end of an agreement on a product with a fixed term, which its code names. */
function termEnd({ product_code, valid_from }: Payload): string {
  const months = Number(/-(\d\d)M/.exec(String(product_code))?.[1] ?? 0);
  const [year, month, day] = dateIn(String(valid_from)).split('-').map(Number) as [number, number, number];
  return months === 0 ? '-' : new Date(Date.UTC(year, month - 1 + months, day)).toISOString().slice(0, 10);
}

/** The state of accounts after each event of the stream, from a known first state. */
function follower() {
  const states = new Map<string, State>();
  const endOf = new Map<string, string>();
  /** Supply points of a leaving process, which comes back as a whole. */
  const leaving = new Map<string, readonly string[]>();
  const ends = (text: string, date: string) => text.replace(/\S+$/, date);
  /** First days of supply of an import that is under way, by supply point. */
  const coming = new Map<string, Record<string, string>>();
  const withoutHome = (state: State) => Object.values(state.homes).every((home) => !home.endsWith(' -'));

  return {
    states,
    apply({ envelope, key }: OutgoingEvent): void {
      const payload = envelope.payload as Payload;
      const account = [payload.account_number, payload.identifier, key].find(
        (each) => typeof each === 'string',
      ) as string;
      const state = states.get(account);
      if (state === undefined) return;
      const points = (payload.supply_points ?? [payload.supply_point]) as Point[];
      switch (`${envelope.event_type}-${envelope.version}`) {
        case 'agreement.created-v1':
          state.agreements[String(payload.agreement_id)] =
            `${String(payload.product_code)} ${dateIn(String(payload.valid_from))} ${termEnd(payload)}`;
          break;
        case 'agreement.terminated-v2': {
          const id = String(payload.agreement_id);
          state.agreements[id] = ends(state.agreements[id] ?? '', endOf.get(account) ?? '?');
          break;
        }
        case 'agreement.revoked-v2':
          Reflect.deleteProperty(state.agreements, String(payload.agreement_id));
          break;
        case 'lifecycle.leave-supplier.requested-v3':
        case 'lifecycle.leave-supplier.updated-v3':
          endOf.set(account, String(payload.requested_supply_end_date));
          leaving.set(
            String(payload.leave_supplier_process_number),
            points.map(({ external_identifier: id }) => id),
          );
          break;
        case 'lifecycle.status-changed-v1':
          if (payload.new_status !== 'REVERSED') break;
          for (const id of leaving.get(String(payload.process_number)) ?? []) {
            state.homes[id] = ends(state.homes[id] ?? '', '-');
          }
          break;
        case 'lifecycle.leave-supplier.completed-v3':
          for (const { external_identifier: id, confirmed_supply_end_date: date } of points) {
            state.homes[id] = ends(state.homes[id] ?? '', date);
          }
          if (withoutHome(state)) state.status = 'DORMANT';
          break;
        case 'lifecycle.join-supplier.completed-v1':
          for (const { external_identifier: id, confirmed_supply_start_date: date } of points) {
            state.homes[id] = `${date} -`;
          }
          state.status = 'ACTIVE';
          break;
        case 'lifecycle.join-supplier.cancelled-v1':
        case 'lifecycle.join-supplier.reversed-v1':
          for (const { external_identifier: id } of points) Reflect.deleteProperty(state.homes, id);
          if (withoutHome(state))
            state.status = Object.keys(state.homes).length > 0 ? 'DORMANT' : 'WITHDRAWN';
          break;
        case 'meterpoint.elec.cos_gain.registration.requested-v1':
        case 'meterpoint.gas.api_backfill-v1': {
          const point = String(payload.mpan ?? payload.mprn);
          coming.set(account, { ...coming.get(account), [point]: String(payload.supply_start_date) });
          break;
        }
        case 'data_import.import_process.complete-v1': {
          const days = Object.entries(coming.get(account) ?? {});
          // They live there already: supply may begin later.
          const imported = dateIn(envelope.occurred_at);
          const [first = '?'] = [imported, ...days.map(([, day]) => day)].sort();
          for (const [point] of days) state.homes[point] = `${first} -`;
          state.status = 'ACTIVE';
          break;
        }
        case 'account.reactivated-v1':
          state.status = 'ACTIVE';
      }
    },
  };
}

const authorized = { Authorization: basic(apiKey) };

/** Plays the run step by step and compares after every event. Answers how many events and accounts there were. */
async function compare(
  options: Partial<EmulatorOptions>,
  prepare: (api: Awaited<ReturnType<typeof serve>>) => Promise<void> = () => Promise.resolve(),
) {
  let wake = (): void => undefined;
  const emissions: OutgoingEvent[] = [];
  const sink = watching((batch) => {
    emissions.push(...batch);
    wake();
  });
  const api = await serve({ ...options, sinks: [sink] });
  const { run, finished } = api.emulator;
  await prepare(api);
  const ending = { isOver: false };
  void finished.then(() => {
    ending.isOver = true;
    wake();
  });
  const account = (number: string, headers: Record<string, string> = {}) =>
    api.ask(`accounts/${number}/`, { headers: { ...authorized, ...headers } });

  const { states, apply } = follower();
  const answers: { number: string; id: string; text: string }[] = [];
  let previous: string | undefined;
  for (let done = 0; ; ) {
    const moved = new Promise<void>((resolve) => (wake = resolve));
    if (!ending.isOver) {
      run.step();
      await moved;
    }
    if (done === emissions.length && ending.isOver) break;
    for (; done < emissions.length; done++) {
      const emission = emissions[done]!;
      const { id, payload, event_type } = emission.envelope;
      const number = (payload as Payload).account_number;
      if (typeof number === 'string' && !states.has(number)) {
        // An account is there from its first event on; one that is opened now was not there before.
        const { status, body } = await account(number, { 'busbar-at': id });
        if (status === 404) continue;
        expect([number, status]).toEqual([number, 200]);
        if (event_type === 'account.created' && previous !== undefined) {
          expect((await account(number, { 'busbar-at': previous })).status).toBe(404);
        }
        states.set(number, reduced(body));
      }
      apply(emission);
      previous = id;
    }
    const versions = emissions.at(-1);
    if (versions === undefined) continue;
    for (const [number, state] of states) {
      const present = await account(number);
      expect(reduced(present.body), `${number} after ${versions.envelope.event_type}`).toEqual(state);
      const then = await account(number, { 'busbar-at': versions.envelope.id });
      expect(then.text).toBe(present.text);
      answers.push({ number, id: versions.envelope.id, text: present.text });
    }
  }
  // What has been is still so when all is over.
  for (const { number, id, text } of answers.filter((_, index) => index % 5 === 0)) {
    expect((await account(number, { 'busbar-at': id })).text).toBe(text);
  }
  return { events: emissions.length, accounts: states.size, states: [...states.values()] };
}

describe('an account over REST, after every event,', () => {
  const moves: readonly Partial<EmulatorOptions>[] = [
    { branches: { outcome: 'moved', account: 'new', occupier: 'identified' } },
    { branches: { outcome: 'moved', account: 'same', date: 'changed' }, seed: 4 },
    { branches: { outcome: 'cancelled', account: 'new' }, seed: 5 },
    { branches: { outcome: 'reversed', account: 'same' }, seed: 6 },
    { branches: { outcome: 'reversed', account: 'new' }, seed: 7 },
    { seed: 8, instances: 2 },
  ];
  it.each(moves.slice(0, cases(3, 6)))('agrees with the events of house moves with %j', async (options) => {
    const { events, accounts } = await compare({ scenario: 'house-move', ...options });
    expect(events).toBeGreaterThan(8);
    expect(accounts).toBeGreaterThan(0);
  });

  it.each([1, 2, 3].slice(0, cases(1, 3)))(
    'agrees with the events of lost supply, with seed %d',
    async (seed) => {
      const { states } = await compare({ scenario: 'switch-loss', seed, instances: 2 });
      expect(states.length).toBeGreaterThan(1);
    },
  );

  it('agrees with the events of imports during a house move', async () => {
    const { states } = await compare({}, async (api) => {
      api.emulator.setSupplier('NORTHERN_2026', {});
      for (const number of ['N-1', 'N-2']) {
        const payload = accountOf(number, { gas: number === 'N-2' });
        const { status } = await send(api.ask, 'data-import/accounts/', payload);
        expect(status).toBe(201);
      }
    });
    const imported = states.filter(({ agreements }) =>
      Object.values(agreements).some((agreement) => agreement.endsWith(' 2026-03-05 -')),
    );
    expect(imported.map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE']);
    expect(imported.map(({ homes }) => Object.keys(homes).length).sort()).toEqual([1, 2]);
  });

  it('agrees with the events of bills, which change no agreement', async () => {
    const { events } = await compare({ scenario: 'billing-cycle', instances: 3 });
    expect(events).toBeGreaterThan(10);
  });
});

describe('an account', () => {
  it('does not exist for unknown numbers and unsent events', async () => {
    const { refused, emulator } = await serve({ run: { paused: false }, runId: 'one' });
    onTestFinished(() => emulator.stop());
    await emulator.finished;
    for (const number of [
      'A-00000000',
      'A-6CD32BA',
      'a-6cd32ba9',
      'X',
      '..%2f..%2fetc',
      '%00',
      '%F0%9F%92%A1',
    ]) {
      expect(await refused(`accounts/${number}/`, { headers: authorized })).toBe('404 not_found');
    }
    const asked = (id: string, number = 'A-6CD32BA9') =>
      refused(`accounts/${number}/`, { headers: { ...authorized, 'busbar-at': id } });
    for (const id of ['x', '', "' OR 1=1 --", '019A0000-0000-7000-8000-000000000001']) {
      expect(await asked(id)).toBe('400 invalid_request busbar-at:invalid_event_id');
    }
    const response = await fetch(`${emulator.url}/emulator/v1/events`);
    const { entries } = (await response.json()) as { entries: [{ event: { id: string } }] };
    const sent = entries[0].event.id;
    const otherRun = `${sent.slice(0, -6)}000000`;
    const beforeTheRun = `01900000-0000${sent.slice(13)}`;
    const notYet = `01b00000-0000${sent.slice(13)}`;
    for (const each of [otherRun, beforeTheRun, notYet]) {
      expect(await asked(each)).toBe('400 invalid_request busbar-at:unknown_event');
    }
    expect(await asked(sent, 'A-00000000')).toBe('404 not_found');
  });
});

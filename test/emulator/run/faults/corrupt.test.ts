import { describe, expect, it } from 'vitest';
import { type Catalogue, openCatalogue } from '../../../../catalogue/index.js';
import type { OutgoingEvent } from '../../../../emulator/index.js';
import { outgoing, through } from './faulty-run.js';

const meter = { type: 'meter.read', version: 'v1' } as const;
const some = { length: 300 };

/** A catalogue with an event of meters, its validator loaded. */
async function meters(schema: object): Promise<Catalogue> {
  const catalogue = openCatalogue({
    events: [{ 'x-event-type': meter.type, 'x-event-version': meter.version, type: 'object', ...schema }],
  });
  await catalogue.validator(catalogue.find(meter.type, meter.version)!);
  return catalogue;
}

function read(payload: unknown, n = 1): OutgoingEvent {
  return outgoing(n, { ...meter, payload });
}

const text = { type: 'string' };
const closed = { properties: { unit: text }, required: ['unit'], additionalProperties: false };

describe('the fault "invalid"', () => {
  it('removes members and changes types anywhere in a payload, and removes no items', async () => {
    const of = await meters({
      properties: {
        'a/b~c': text,
        rows: { type: 'array', items: text },
        last: { type: 'object', properties: { value: { type: 'number' }, ended: { type: 'null' } } },
      },
      required: ['a/b~c', 'rows'],
    });
    const payload = { 'a/b~c': 'x', rows: ['p', 'q'], last: { value: 7, ended: null } };
    const events = Array.from(some, (_, n) => read(payload, n));
    const { emissions, ledger } = await through('invalid=100%', events, { of });
    expect(ledger).toHaveLength(events.length);
    const changes = new Map(
      emissions.map(({ envelope }, n) => {
        const { how, pointer } = ledger[n]!.parameters;
        return [`${how} ${pointer}`, envelope.payload];
      }),
    );
    expect(Object.fromEntries(changes)).toEqual({
      'missing /a~1b~0c': { rows: payload.rows, last: payload.last },
      'missing /rows': { 'a/b~c': 'x', last: payload.last },
      'wrong-type /a~1b~0c': { ...payload, 'a/b~c': 0 },
      'wrong-type /rows': { ...payload, rows: 0 },
      'wrong-type /rows/0': { ...payload, rows: [0, 'q'] },
      'wrong-type /rows/1': { ...payload, rows: ['p', 0] },
      'wrong-type /last': { ...payload, last: 0 },
      'wrong-type /last/value': { ...payload, last: { value: 'not a number', ended: null } },
      'wrong-type /last/ended': { ...payload, last: { value: 7, ended: 0 } },
    });
  });

  it('leaves an event alone whose schema allows every change', async () => {
    const of = await meters({});
    const events = [read({ unit: 'kWh', rows: [1] }, 1), read({}, 2)];
    const { emissions, ledger } = await through('invalid=100%', events, { of });
    expect(emissions).toEqual(events);
    expect(ledger).toEqual([]);
  });

  it('leaves an event alone that is not in the catalogue', async () => {
    const events = [read({ unit: 'kWh' })];
    const { emissions, ledger } = await through('invalid=100%', events);
    expect(emissions).toEqual(events);
    expect(ledger).toEqual([]);
  });

  it('changes values in seven levels of a payload', async () => {
    const nested = (depth: number): object =>
      depth === 0 ? { type: 'number' } : { properties: { in: nested(depth - 1) } };
    const holding = (depth: number): unknown => (depth === 0 ? 7 : { in: holding(depth - 1) });
    const found = async (depth: number) => {
      const of = await meters(nested(depth));
      const { ledger } = await through('invalid=100%', [read(holding(depth))], { of });
      return ledger.map(({ parameters }) => parameters.pointer);
    };
    expect(await found(7)).toEqual(['/in/in/in/in/in/in/in']);
    expect(await found(8)).toEqual([]);
  });
});

describe('the fault "extra-field"', () => {
  it.each([[null], [['kWh']], ['kWh'], [7]])(
    'leaves a payload alone that is not an object: %j',
    async (payload) => {
      const events = [read(payload)];
      const { emissions, ledger } = await through('extra-field=100%', events);
      expect(emissions).toEqual(events);
      expect(ledger).toEqual([]);
    },
  );

  it('leaves a payload alone whose schema allows no other field', async () => {
    const events = [read({ unit: 'kWh' })];
    const { emissions } = await through('extra-field=100%', events, { of: await meters(closed) });
    expect(emissions).toEqual(events);
  });

  it('extends a payload that is invalid without it, and one of an unknown event', async () => {
    const of = await meters(closed);
    const one = await through('extra-field=100%', [read({ unit: 1 })], { of });
    expect(one.emissions[0]!.envelope.payload).toEqual({ unit: 1, busbar_extra_field: 'added' });
    const other = await through('extra-field=100%', [read({ unit: 'kWh' })]);
    expect(other.ledger.map(({ parameters }) => parameters)).toEqual([{ pointer: '/busbar_extra_field' }]);
  });
});

describe('the faults "unknown-event" and "unknown-version"', () => {
  it('choose names that the catalogue does not have', async () => {
    const of = openCatalogue({
      events: ['account.occupied-v99', 'account.occupied.unannounced-v1'].map((name) => {
        const [type, version] = name.split('-');
        return { 'x-event-type': type, 'x-event-version': version, type: 'object' };
      }),
    });
    const event = outgoing(1);
    const type = await through('unknown-event=100%', [event], { of });
    const named = { event_type: 'account.occupied.unannounced.unannounced' };
    expect(type.ledger.map(({ parameters }) => parameters)).toEqual([named]);
    expect(type.emissions[0]).toMatchObject({
      envelope: { ...event.envelope, ...named },
      headers: { ...event.headers, 'event-type': named.event_type },
    });
    const version = await through('unknown-version=100%', [event], { of });
    expect(version.ledger.map(({ parameters }) => parameters)).toEqual([{ version: 'v100' }]);
    expect(version.emissions[0]).toMatchObject({
      envelope: { ...event.envelope, version: 'v100' },
      headers: { ...event.headers, 'event-version': 'v100' },
    });
  });
});

describe('the fault "corrupt"', () => {
  it('cuts half of the events before 100 bytes, and changes the first byte of others', async () => {
    const events = Array.from({ length: 2_000 }, (_, n) => outgoing(n));
    const { emissions, ledger } = await through('corrupt=100%', events);
    const cuts: number[] = [];
    for (const [n, { bytes }] of emissions.entries()) {
      const original = events[n]!.bytes;
      const { parameters } = ledger[n]!;
      if (parameters.how === 'garbled') {
        expect(parameters).toEqual({ how: 'garbled', byte: 0 });
        expect(bytes.toString()).toBe(`\0${original.toString().slice(1)}`);
      } else {
        expect(parameters).toEqual({ how: 'truncated', bytes: bytes.length });
        expect(bytes.toString()).toBe(original.toString().slice(0, bytes.length));
        cuts.push(bytes.length);
      }
    }
    expect(Math.abs(cuts.length - 1_000)).toBeLessThan(100);
    expect([Math.min(...cuts), Math.max(...cuts)]).toEqual([0, 99]);
  });
});

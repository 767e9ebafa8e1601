import { describe, expect, it } from 'vitest';
import type { OutgoingEvent } from '../../../../emulator/index.js';
import type { SwitchedFaults } from '../../../../emulator/run/inputs.js';
import { type Faults, readFaults } from '../../../../emulator/run/faults/settings.js';
import { catalogue, event, occupied, switchedTo, through } from './faulty-run.js';

const minute = 60_000;
const stream = Array.from({ length: 40 }, (_, n) => occupied(n, n * minute, `A-${n % 4}`));
const one = [occupied(1, 0)];
const only = async (faults: Faults): Promise<OutgoingEvent> => (await through(faults, one)).emissions[0]!;
const idOf = ({ envelope }: OutgoingEvent) => envelope.id;

describe('a fault', () => {
  it('corrupt: sends invalid JSON with the headers of the event', async () => {
    const { emissions } = await through('corrupt=100%', stream);
    for (const { bytes, headers, faults } of emissions) {
      expect(() => JSON.parse(bytes.toString()) as unknown).toThrow(SyntaxError);
      expect(headers['event-type']).toBe('account.occupied');
      expect(faults).toEqual(['corrupt']);
    }
    const { ledger } = await through('corrupt=100%', stream);
    expect(new Set(ledger.map(({ parameters }) => parameters.how))).toEqual(
      new Set(['truncated', 'garbled']),
    );
  });

  it('invalid: sends an invalid payload and logs the pointer without the value', async () => {
    const { emissions, ledger } = await through('invalid=100%', stream);
    const isValid = await catalogue.validator(event);
    for (const { envelope, bytes } of emissions) {
      expect(isValid(envelope.payload)).toBe(false);
      expect(JSON.parse(bytes.toString())).toEqual(envelope);
    }
    expect(new Set(ledger.map(({ parameters }) => parameters.how))).toEqual(
      new Set(['missing', 'wrong-type']),
    );
    expect(JSON.stringify(ledger)).not.toContain('A-');
  });

  it('extra-field: sends a field that no schema lists in a valid payload', async () => {
    const { envelope } = await only('extra-field=100%');
    expect(envelope.payload).toEqual({ account_number: 'A-1', busbar_extra_field: 'added' });
    expect((await catalogue.validator(event))(envelope.payload)).toBe(true);
  });

  it('unknown-event, unknown-version: sends unknown names in value and headers', async () => {
    const other = await only('unknown-event=100%');
    expect(catalogue.versionsOf(other.envelope.event_type)).toEqual([]);
    expect(other.headers['event-type']).toBe(other.envelope.event_type);
    const newer = await only('unknown-version=100%');
    expect(newer.envelope.event_type).toBe('account.occupied');
    expect(catalogue.find('account.occupied', newer.envelope.version)).toBeUndefined();
    expect(newer.headers['event-version']).toBe(newer.envelope.version);
    expect(JSON.parse(newer.bytes.toString())).toEqual(newer.envelope);
  });

  it('duplicate: sends the same bytes twice and marks the second event', async () => {
    const { emissions } = await through('duplicate=100%', one);
    expect(emissions.map(({ faults }) => faults)).toEqual([[], ['duplicate']]);
    expect(emissions[1]?.bytes).toEqual(emissions[0]?.bytes);
  });

  it('delay: sends an event and later ones of its key after the delay', async () => {
    const [first, second, other] = [occupied(1, 0, 'A'), occupied(2, minute, 'A'), occupied(3, minute, 'B')];
    const mask = (_: string, id: string) => id === idOf(first);
    const { sendings } = await through('delay=100%:10m', [first, second, other], { mask });
    expect(sendings.map(({ at, emissions: [each] }) => [at, idOf(each!)])).toEqual([
      [minute, idOf(other)],
      [10 * minute, idOf(first)],
      [10 * minute, idOf(second)],
    ]);
  });

  it('reorder: lets other keys overtake, and the same key only on request', async () => {
    const near = Array.from({ length: 200 }, (_, n) => occupied(n, n * 1000, `A-${n % 4}`));
    const kept = await through('reorder=20%:30s', near);
    expect(kept.emissions.map(idOf)).not.toEqual(near.map(idOf));
    const ofKey = (list: readonly OutgoingEvent[]) => list.filter(({ key }) => key === 'A-0').map(idOf);
    expect(ofKey(kept.emissions)).toEqual(ofKey(near));
    const loose = await through('reorder=20%:30s,reorder-within-key', near);
    expect(ofKey(loose.emissions)).not.toEqual(ofKey(near));
    expect(ofKey(loose.emissions).toSorted()).toEqual(ofKey(near));
  });

  it('burst: sends the events of ten spans in the last one, in order', async () => {
    const dense = Array.from({ length: 600 }, (_, n) => occupied(n, n * 500));
    const { sendings, emissions } = await through('burst=10x:30s:100%', dense);
    expect(emissions.map(idOf)).toEqual(dense.map(idOf));
    // 300 seconds are one window: nothing in the first 270.
    expect(sendings[0]?.at).toBe(270_000);
    expect(sendings.at(-1)?.at).toBeLessThan(300_000);
  });

  it('drop: lets the process handle other work, even with nothing to send', async () => {
    let turns = 0;
    let next = setImmediate(function turn() {
      turns++;
      next = setImmediate(turn);
    });
    await through(
      'drop=100%',
      Array.from({ length: 20_000 }, (_, n) => occupied(n, n)),
    );
    clearImmediate(next);
    expect(turns).toBeGreaterThan(10);
  });
});

describe('faults that are switched during a run', () => {
  const key = 'A-1';
  const [first, second, third] = [
    occupied(1, 0, key),
    occupied(2, minute, key),
    occupied(3, 2 * minute, key),
  ];
  const events = [first, second, third];
  const leaving = async (faults: Faults, switched: readonly SwitchedFaults[]) => {
    const { sendings } = await through(faults, events, { switched });
    return sendings.map(({ at, emissions: [each] }) => [at / minute, idOf(each!)]);
  };

  it.each([
    ['off', null],
    ['to others', 'duplicate=0%'],
  ])('%s: keeps the order of a key behind a delayed event', async (_, faults) => {
    expect(await leaving('delay=100%:10m', [switchedTo(faults, minute)])).toEqual([
      [10, idOf(first)],
      [10, idOf(second)],
      [10, idOf(third)],
    ]);
  });

  it('on, then off: keeps the order of a key behind a delayed event', async () => {
    const switched = [switchedTo('delay=100%:10m', minute), switchedTo(null, 2 * minute)];
    expect(await leaving('duplicate=0%', switched)).toEqual([
      [0, idOf(first)],
      [11, idOf(second)],
      [11, idOf(third)],
    ]);
  });
});

describe('readFaults()', () => {
  it('reads text, lines with comments, JSON and objects alike', () => {
    const expected = readFaults('duplicate=1%,reorder=2%:30s,reorder-within-key,burst=10x:30s');
    expect(expected).toMatchObject({
      rates: { duplicate: 0.01, reorder: 0.02, burst: 0.1 },
      reorderWithin: 30_000,
      reorderWithinKey: true,
    });
    const lines =
      '# a bad day\nduplicate=1%\nreorder=2%:30s # half a minute\n\nreorder-within-key\nburst=10x:30s\n';
    expect(readFaults(lines)).toEqual(expected);
    const object = {
      duplicate: '1%',
      reorder: '2%:30s',
      'reorder-within-key': true,
      burst: '10x:30s',
    } as const;
    expect(readFaults(object)).toEqual(expected);
    expect(readFaults(`\n ${JSON.stringify(object)}`)).toEqual(expected);
  });

  it('reads the least and the greatest values', () => {
    expect(readFaults('burst=2x:1ms:0%').burst).toEqual({ factor: 2, within: 1 });
    expect(readFaults('burst=1000x:31d').burst).toEqual({ factor: 1000, within: 31 * 24 * 60 * minute });
    expect(readFaults('delay=12.25%:31d')).toMatchObject({
      rates: { delay: 0.1225 },
      delayBy: 31 * 24 * 60 * minute,
    });
  });

  it('keeps the error of a JSON parser as the cause', () => {
    const read = () => readFaults('{"drop"');
    expect(read).toThrow(expect.objectContaining({ cause: expect.any(SyntaxError) as Error }) as Error);
  });

  it.each([
    ['duplicat=1%', 'There is no fault "duplicat". Did you mean "duplicate"?'],
    ['nothing-like-it=1%', 'The faults are drop, invalid'],
    ['duplicate', 'Fault "duplicate" takes a share from 0% to 100%, e.g. duplicate=1%, but has none.'],
    [`drop=${'9'.repeat(500)}`, '9..."'],
    ['duplicate=1', /not "1"\.$/],
    ['duplicate=', 'e.g. duplicate=1%, but has none.'],
    ['duplicate=1%:2', 'not "1%:2"'],
    ['duplicate=1%%', 'not "1%%"'],
    ['reorder-within-ke', 'Did you mean "reorder-within-key"?'],
    ['onli=billing.*', 'Did you mean "only"?'],
    ['only=', '"only" takes an event type, e.g. only=billing.*.'],
    ['{"only":1}', '"only" takes an event type, e.g. only=billing.*.'],
    ['duplicate=101%', 'not "101%"'],
    ['drop=-1%', 'not "-1%"'],
    ['delay=5%', 'Fault "delay" takes a share and a time, e.g. delay=5%:10m, not "5%"'],
    ['delay=5%:10', 'not "5%:10"'],
    ['delay=5%:90d', 'Times go from 1ms to 31d'],
    ['reorder=2%:30s:4', 'takes a share and a time, e.g. reorder=2%:30s, not "2%:30s:4"'],
    ['burst=10:30s', 'a factor from 2x to 1000x'],
    ['burst=1x:30s', 'a factor from 2x to 1000x'],
    ['burst=1001x:30s', 'a factor from 2x to 1000x'],
    ['burst=a10x:30s', 'not "a10x:30s"'],
    ['burst=10xx:30s', 'not "10xx:30s"'],
    ['burst=10x:soon', 'not "10x:soon"'],
    ['burst=10x:30s:1%:1', 'not "10x:30s:1%:1"'],
    ['drop=1%,drop=2%', 'Fault "drop" is named twice'],
    ['reorder-within-key', 'Add it, e.g. reorder=2%:30s'],
    ['reorder=2%:30s,reorder-within-key=yes', 'takes no value'],
    ['', 'is empty'],
    ['{"drop"', 'are not JSON'],
    ['{"drop":1}', 'Fault "drop" takes a share from 0% to 100%, e.g. drop=1%, not 1.'],
  ])('refuses with one line: %s', (text, message) => {
    expect(() => readFaults(text)).toThrow(message);
    try {
      readFaults(text);
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid-option', options: ['faults'] });
      expect((error as Error).message).not.toContain('\n');
    }
  });

  it('refuses a fault without a value from code', () => {
    const faults = { drop: undefined } as unknown as Faults;
    expect(() => readFaults(faults)).toThrow('e.g. drop=1%, but has none.');
  });
});

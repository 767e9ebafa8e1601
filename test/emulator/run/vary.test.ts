import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import {
  defineScenario,
  emit,
  type OutgoingEvent,
  type EmulatorOptions,
  type Sink,
  startEmulator,
} from '../../../emulator/index.js';
import { scenarios } from '../../../emulator/scenarios/index.js';
import { type Variation, variations } from '../../../emulator/run/vary/variations.js';
import { silentLogger } from '../../../src/base/logger.js';
import { cases } from '../../cases.js';

async function play(
  vary: readonly Variation[],
  more: Partial<EmulatorOptions> = {},
): Promise<OutgoingEvent[]> {
  const emissions: OutgoingEvent[] = [];
  const sink: Sink = {
    name: 'keeping',
    write: (batch) => void emissions.push(...batch),
    end: () => undefined,
    close: () => Promise.resolve(),
  };
  const emulator = await startEmulator({
    scenario: 'house-move',
    instances: 20,
    speed: 'instant',
    sinks: [sink],
    vary,
    logger: silentLogger,
    ...more,
  });
  await emulator.finished.finally(() => emulator.stop());
  return emissions;
}

const payloads = (emissions: readonly OutgoingEvent[]) => emissions.map(({ envelope }) => envelope.payload);
const texts = (emissions: readonly OutgoingEvent[]) => emissions.map(({ bytes }) => bytes.toString());
const ids = (emissions: readonly OutgoingEvent[]) => emissions.map(({ envelope }) => envelope.id);

/** Every text with the field that holds it. */
function* fields(value: unknown, field = ''): Generator<[field: string, text: string]> {
  if (typeof value === 'string') yield [field, value];
  else if (Array.isArray(value)) for (const each of value) yield* fields(each, field);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) yield* fields(each, name);
  }
}

describe('variations', () => {
  it('keep every payload of every scenario valid, for any seed', async () => {
    const catalogue = openCatalogue();
    for (let seed = 1; seed <= cases(1, 3); seed++) {
      const emissions = await play(variations, {
        scenario: scenarios.map(({ name }) => name),
        instances: 2,
        seed,
        duration: 60 * 86_400_000,
      });
      expect(emissions.length).toBeGreaterThan(200);
      for (const { envelope } of emissions) {
        const validate = await catalogue.validator(catalogue.find(envelope.event_type, envelope.version)!);
        expect(validate(envelope.payload), envelope.event_type).toBe(true);
      }
    }
  });

  it('change texts of tuples, and none below a schema that is true or false', async () => {
    const priced = {
      'x-event-type': 'tariff.priced',
      'x-event-version': 'v1',
      'x-busbar-key': 'tariff',
      type: 'object',
      properties: {
        names: {
          type: 'array',
          prefixItems: [{ type: 'string', pattern: '^2' }, { type: 'string' }, true],
          items: false,
        },
      },
    } as const;
    const day = '2026-03-02';
    const scenario = defineScenario({
      name: 'tariff',
      title: 'A tariff',
      description: 'A tariff is priced.',
      branches: {},
      *run() {
        const payload = { names: [day, day, day] };
        yield* emit('tariff.priced' as never, 'v1' as never, payload as never, { key: 'T' });
      },
    });
    const catalogue = openCatalogue({ events: [priced as Record<string, unknown>] });
    const sent = await play(variations, { scenario, catalogue, instances: 1, seed: 1 });
    expect(payloads(sent)).toEqual([{ names: [day, expect.not.stringMatching(`^${day}$`), day] }]);
  });

  it('depend on the seed', async () => {
    const one = texts(await play(variations));
    expect(texts(await play(variations))).toEqual(one);
    expect(texts(await play(variations, { speed: 1e12 }))).toEqual(one);
    expect(texts(await play([]))).not.toEqual(one);
  });

  it('times: write the same instants in one other way per field', async () => {
    const [plain, varied] = [await play([]), await play(['times'])];
    expect(ids(varied)).toEqual(ids(plain));
    let others = 0;
    for (const [n, payload] of payloads(plain).entries()) {
      const before = [...fields(payload)];
      const after = [...fields(varied[n]!.envelope.payload)];
      for (const [place, [, text]] of before.entries()) {
        const other = after[place]![1];
        if (other === text) continue;
        others++;
        if (/T/.test(text)) expect(Date.parse(other)).toBe(Date.parse(text));
        else expect(other.replaceAll('-', '').slice(0, 8)).toBe(text.replaceAll('-', ''));
      }
    }
    expect(others).toBeGreaterThan(50);
  });

  it('keys: replace the keys but keep each entity together', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const [plain, varied] = [await play([], { seed }), await play(['keys'], { seed })];
      expect(payloads(varied)).toEqual(payloads(plain));
      expect(varied.every(({ key }, n) => key !== plain[n]!.key)).toBe(true);
      const domainOf = ({ envelope }: OutgoingEvent) => envelope.event_type.split('.')[0]!;
      const groups = new Map<string, Set<string>>();
      for (const [n, { key }] of varied.entries()) {
        const group = `${plain[n]!.key} ${domainOf(varied[n]!)}`;
        groups.set(group, (groups.get(group) ?? new Set()).add(key));
      }
      for (const keys of groups.values()) expect(keys.size).toBe(1);
    }
  });

  it('order: swap versions of an occurrence and keep ids sorted', async () => {
    const [plain, varied] = [await play([]), await play(['order'])];
    expect(ids(varied)).toEqual(ids(varied).toSorted());
    const occurrences = (emissions: readonly OutgoingEvent[]) =>
      emissions.map(({ envelope, cell, at }) => `${cell} ${at} ${envelope.event_type} ${envelope.version}`);
    expect(occurrences(varied)).not.toEqual(occurrences(plain));
    expect(occurrences(varied).toSorted()).toEqual(occurrences(plain).toSorted());
  });

  it('enums: write words in other spellings, or unknown words', async () => {
    const words = (emissions: readonly OutgoingEvent[], name: string) =>
      new Set(
        payloads(emissions)
          .flatMap((payload) => [...fields(payload)])
          .filter(([field]) => field === name)
          .map(([, text]) => text),
      );
    const styles = new Set<string>();
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      for (const word of words(await play(['enums'], { seed }), 'market_name')) styles.add(word);
    }
    expect(styles.size).toBeGreaterThan(4);
    expect([...styles].every((word) => /gas|electricity/i.test(word))).toBe(true);
    const numbers = words(await play(['enums']), 'account_number');
    expect(numbers).toEqual(words(await play([]), 'account_number'));
  });

  it('objects, empty-ends: change free objects, and write or omit open ends', async () => {
    const all = { scenario: scenarios.map(({ name }) => name), instances: 1, duration: 60 * 86_400_000 };
    const changed = async (variation: Variation, seed: number) => {
      const [plain, varied] = [await play([], { ...all, seed }), await play([variation], { ...all, seed })];
      return varied
        .map(({ envelope }, n) => [
          JSON.stringify(plain[n]!.envelope.payload),
          JSON.stringify(envelope.payload),
        ])
        .filter(([before, after]) => before !== after);
    };
    const objects = await changed('objects', 1);
    expect(objects.length).toBeGreaterThan(5);
    const contents = objects.map(([, after]) => after).join();
    for (const other of [/\{\}/, /"data":\{/, /"busbar_nested":\{/]) expect(contents).toMatch(other);

    const ends = [...(await changed('empty-ends', 1)), ...(await changed('empty-ends', 2))];
    expect(ends.length).toBeGreaterThan(3);
    for (const [before] of ends) expect(before).toMatch(/(to|end|until|_at|_date|_on)":""/);
    expect(ends.some(([, after]) => after!.includes('"9999-12-31'))).toBe(true);
  });

  it('report an unknown name', async () => {
    await expect(play(['time' as Variation])).rejects.toThrow('"vary[0]" must be "times", "objects"');
  });
});

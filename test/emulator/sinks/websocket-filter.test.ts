import { describe, expect, it } from 'vitest';
import { matcherFor } from '../../../emulator/sinks/stream/filter.js';
import type { StreamFilter } from '../../../src/transports/websocket-protocol.js';
import { play } from '../scenarios/play.js';
import { emission, emissions } from './emissions.js';
import { observer, rawClient, turns } from './raw-client.js';
import { streamServer } from './stream-server.js';

/** Numbers of the records that an observer with this filter gets of the run. */
async function seen(filter: StreamFilter, run: Awaited<ReturnType<typeof play>>): Promise<number[]> {
  const { sink, url } = await streamServer();
  const client = await observer(url, { filter });
  await sink.write(run);
  await sink.end();
  await client.message('end');
  return client.messages.flatMap(({ type, numbers }) => (type === 'batch' ? (numbers ?? []) : []));
}

describe('an observer with a filter', () => {
  it('gets what fits, under its numbers in the whole stream', async () => {
    const run = await play('house-move', { seed: 3, instances: 4 });
    const numbersOf = (fits: (each: (typeof run)[number]) => boolean) =>
      run.flatMap((each, index) => (fits(each) ? [index + 1] : []));
    const account = run[0]!.key;
    const cases: [StreamFilter, (each: (typeof run)[number]) => boolean][] = [
      [{ types: ['billing.*'] }, ({ envelope }) => envelope.event_type.startsWith('billing.')],
      [
        { types: ['account.created-v1', '*.completed'] },
        ({ envelope }) =>
          envelope.event_type === 'account.created' || envelope.event_type.endsWith('.completed'),
      ],
      [{ domains: ['agreement'] }, ({ envelope }) => envelope.event_type.startsWith('agreement.')],
      [{ account }, ({ bytes, key }) => key === account || bytes.includes(`"${account}"`)],
      [{ cell: 2 }, ({ cell }) => cell === 2],
      [
        { cell: 3, domains: ['lifecycle'] },
        ({ cell, envelope }) => cell === 3 && envelope.event_type.startsWith('lifecycle.'),
      ],
      [{ process: 'house-move' }, () => true],
      [{ process: 'house' }, () => false],
      [{ text: 'gbr_GAS' }, ({ bytes }) => bytes.includes('GBR_GAS')],
      [{ faults: true }, () => false],
      [{ from: run[9]!.at, to: run[20]!.at }, ({ at }) => at >= run[9]!.at && at < run[20]!.at],
      [{ to: run[20]!.at }, ({ at }) => at < run[20]!.at],
    ];
    for (const [filter, fits] of cases)
      expect(await seen(filter, run), JSON.stringify(filter)).toEqual(numbersOf(fits));
  });

  it('gets only events with faults', async () => {
    const [one, two, three] = emissions(3);
    expect(await seen({ faults: true }, [one!, { ...two!, faults: ['duplicate'] }, three!])).toEqual([2]);
  });

  it('gets its position from time to time, and continues there after a reconnect', async () => {
    const { sink, url } = await streamServer({ history: { records: 2_000, bytes: 1e8 } });
    const rare = { filter: { cell: 9 } };
    const client = await observer(url, rare);
    await sink.write([{ ...emission(1), cell: 9 }]);
    await client.until(() => client.numbers.length === 1);
    for (let first = 2; first < 5_000; first += 500) {
      await sink.write(emissions(500, first));
      await client.until(
        () => client.messages.some(({ through = 0 }) => through >= first - 1_000) || first < 1_502,
      );
    }
    const through = client.messages.reduce((most, each) => Math.max(most, each.through ?? 0), 0);
    expect(through).toBeGreaterThan(3_000);
    expect(client.messages.some(({ type }) => type === 'gap')).toBe(false);

    const again = await observer(url, { ...rare, after: through, stream: sink.stream });
    await sink.write([{ ...emission(9_999), cell: 9 }]);
    await again.until(() => again.numbers.length === 1);
    expect(again.messages.map(({ type }) => type)).toEqual(['welcome', 'batch']);
  });

  it('shares the server with others that see something else', async () => {
    const { sink, url } = await streamServer();
    const [odd, all] = [await observer(url, { filter: { text: '"n":7' } }), await observer(url)];
    await sink.write(emissions(20));
    await all.until(() => all.numbers.length === 20);
    await odd.until(() => odd.messages.some(({ type }) => type === 'batch'));
    await turns();
    expect(odd.messages.flatMap(({ numbers = [] }) => numbers)).toEqual([7]);
  });

  it.each([
    [{ filter: [] }, '"filter" must be an object, not an empty list.'],
    [{ filter: { colour: 'red' } }, 'there is no option "filter.colour". The options are types,'],
    [{ filter: { constructor: 'red' } }, 'there is no option "filter.constructor"'],
    [{ filter: { types: 'billing.*' } }, '"filter.types" must be a list of 1 to 100 strings'],
    [{ filter: { types: [] } }, '"filter.types" must be'],
    [{ filter: { types: ['x'.repeat(201)] } }, '"filter.types[0]" must be a string of 1 to 200 characters'],
    [{ filter: { text: '' } }, '"filter.text" must be a string of 1 to 200 characters'],
    [{ filter: { cell: -1 } }, '"filter.cell" must be a whole number'],
    [{ filter: { faults: false } }, '"filter.faults" must be true'],
    [{ about: 'yes' }, '"about" must be true or false'],
  ])('gets the problem with %j', async (more, message) => {
    const { url } = await streamServer();
    const client = await rawClient(url);
    client.send({ type: 'subscribe', mode: 'observe', ...more });
    expect(await client.message('error')).toMatchObject({
      code: 'bad-message',
      message: expect.stringContaining(message),
    });
  });

  it('cannot make the server search long with a pattern of many stars', () => {
    const fits = matcherFor({ types: [`${'*a'.repeat(90)}b`] });
    const about = {
      type: 'a'.repeat(200),
      version: 'v1',
      at: 0,
      cell: 1,
      instance: '',
      step: '',
      faults: [],
    };
    // Were it a regular expression, this would not come back.
    expect(fits({ key: '', value: Buffer.from(''), about })).toBe(false);
  });
});

describe('an observer that asks what the emulator knows about each record', () => {
  it('gets cell, process, step, virtual time, faults and decisions, unlike others', async () => {
    const [first] = await play('house-move', { seed: 3, branches: { told: 'web' } });
    const { sink, url } = await streamServer();
    const knowing = await observer(url, { about: true });
    const plain = await observer(url);
    await sink.write([{ ...first!, faults: ['delay'], sentAt: first!.at + 5 }]);
    const batch = await knowing.message('batch');
    expect(batch.records[0]).toMatchObject({
      key: first!.key,
      about: {
        type: 'lifecycle.leave-supplier.requested',
        version: 'v2',
        at: first!.at,
        sentAt: first!.at + 5,
        cell: 1,
        instance: 'house-move#1',
        step: first!.step,
        faults: ['delay'],
        branches: { told: 'web' },
      },
    });
    expect(batch.lines).toEqual([first!.bytes.toString()]);
    expect((await plain.message('batch')).records[0]).not.toHaveProperty('about');
  });
});

describe('a run that begins again', () => {
  it('sends observers that request metadata the number of its first record', async () => {
    const { sink, url } = await streamServer();
    const knowing = await observer(url, { about: true, filter: { cell: 9 } });
    const plain = await observer(url);
    await sink.write(emissions(3));
    await plain.until(() => plain.numbers.length === 3);
    sink.begin();
    expect(await knowing.message('begin')).toMatchObject({ first: 4 });
    const late = await observer(url, { about: true });
    expect(await late.message('welcome')).toMatchObject({ next: 1, first: 4 });
    await sink.write(emissions(1, 4));
    await plain.until(() => plain.numbers.length === 4);
    expect(plain.messages.map(({ type }) => type)).not.toContain('begin');
    expect(await plain.message('welcome')).not.toHaveProperty('first');
  });
});

import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../../src/base/clock.js';
import { emission, emissions } from './emissions.js';
import { observer, range, rawClient, turns } from './raw-client.js';
import { streamServer } from './stream-server.js';

describe('observing the stream', () => {
  it('sends a welcome, then records with the bytes of all sinks', async () => {
    const { sink, url } = await streamServer({ clock: virtualClock(1_700_000_000_000) });
    const client = await observer(url);
    const [first, second] = emissions(2);
    await sink.write([first!, second!]);
    await client.until(() => client.numbers.length === 2);
    expect(client.messages).toEqual([
      { type: 'welcome', stream: sink.stream, next: 1, lines: [] },
      {
        type: 'batch',
        first: 1,
        records: [
          { key: first!.key, headers: first!.headers, timestamp: 1_700_000_000_000 },
          { key: second!.key, headers: second!.headers, timestamp: 1_700_000_000_000 },
        ],
        lines: [first!.bytes.toString(), second!.bytes.toString()],
      },
    ]);
  });

  it("sends Busbar's own envelope to those that ask for the origin", async () => {
    const { sink, url } = await streamServer();
    const sent = await observer(url);
    const own = await observer(url, { about: true });
    const { bytes, headers, ...rest } = emission(1);
    await sink.write([
      { ...rest, bytes: Buffer.from('other'), headers: { other: 'yes' }, original: { bytes, headers } },
    ]);
    await Promise.all([sent, own].map((client) => client.until(() => client.numbers.length === 1)));
    const batches = [sent, own].map((client) => client.messages.find(({ type }) => type === 'batch'));
    expect(batches).toMatchObject([
      { lines: ['other'], records: [{ headers: { other: 'yes' } }] },
      { lines: [bytes.toString()], records: [{ headers, about: { type: 'account.created' } }] },
    ]);
  });

  it('reports the run after the records so far, then each change, with the origin only', async () => {
    const clock = virtualClock();
    let run = { state: 'running' };
    const { sink, url } = await streamServer({ clock, report: () => run });
    await sink.write(emissions(3));
    const [plain, client] = [await observer(url), await observer(url, { about: true })];
    await client.message('run');
    expect(client.messages.map(({ type }) => type)).toEqual(['welcome', 'batch', 'run']);
    run = { state: 'paused' };
    clock.advance(250);
    await client.until(() => client.messages.length === 4);
    clock.advance(1_000);
    await sink.write(emissions(1, 4));
    await client.until(() => client.numbers.length === 4);
    expect(client.messages.filter(({ type }) => type === 'run')).toMatchObject([
      { run: { state: 'running' } },
      { run: { state: 'paused' } },
    ]);
    expect(plain.messages.some(({ type }) => type === 'run')).toBe(false);
  });

  it('gathers what is written in a turn into one frame, up to the bound of a frame', async () => {
    const { sink, url } = await streamServer();
    const client = await observer(url);
    for (const each of emissions(60)) await sink.write([each]);
    await client.until(() => client.numbers.length === 60);
    expect(client.messages.filter(({ type }) => type === 'batch')).toHaveLength(1);

    await sink.write(emissions(1_250, 61));
    await client.until(() => client.numbers.length === 1_310);
    expect(client.numbers).toEqual(range(1, 1_310));
    const sizes = client.messages.map(({ lines }) => lines.length);
    expect(Math.max(...sizes)).toBe(512);
  });

  it('sends large records alone, and binary records as base64', async () => {
    const { sink, url } = await streamServer();
    const client = await observer(url);
    const large = emission(2, { bytes: Buffer.from(JSON.stringify('x'.repeat(10_000_000))) });
    const twoLines = emission(3, { bytes: Buffer.from('{\n}') });
    const notText = emission(4, { bytes: Buffer.from([0xff, 0xfe, 0x00]) });
    await sink.write([emission(1), large, twoLines, notText]);
    await client.until(() => client.numbers.length === 4);
    const batches = client.messages.filter(({ type }) => type === 'batch');
    expect(batches.find(({ first }) => first === 2)?.lines).toEqual([large.bytes.toString()]);
    const heads = batches.flatMap(({ records }) => records);
    const lines = batches.flatMap((batch) => batch.lines);
    expect(heads.map(({ encoding }) => encoding)).toEqual([undefined, undefined, 'base64', 'base64']);
    expect(lines.slice(2)).toEqual([twoLines.bytes.toString('base64'), notText.bytes.toString('base64')]);
  });

  it('shows a late joiner what is still kept, after a gap that counts what is not', async () => {
    const { sink, url } = await streamServer({ history: { records: 40, bytes: 1e6 } });
    await sink.write(emissions(100));
    const client = await observer(url);
    await client.until(() => client.numbers.length === 40);
    expect(client.messages[0]).toMatchObject({ type: 'welcome', next: 1 });
    expect(client.messages[1]).toMatchObject({ type: 'gap', from: 1, to: 60, count: 60 });
    expect(client.numbers).toEqual(range(61, 100));
  });

  it('bounds what it keeps by bytes too', async () => {
    const { sink, url } = await streamServer({ history: { records: 1e6, bytes: 100_000 } });
    for (let n = 1; n <= 10; n++) await sink.write([emission(n, { bytes: Buffer.alloc(30_000, 'x') })]);
    const client = await observer(url);
    await client.until(() => client.numbers.length === 4);
    expect(client.numbers).toEqual([7, 8, 9, 10]);
  });

  it('continues after the number that a client has seen', async () => {
    const { sink, url } = await streamServer({ history: { records: 40, bytes: 1e6 } });
    await sink.write(emissions(100));
    const near = await observer(url, { after: 95, stream: sink.stream });
    await near.until(() => near.numbers.length === 5);
    expect(near.numbers).toEqual(range(96, 100));
    expect(near.messages.map(({ type }) => type)).toEqual(['welcome', 'batch']);

    const far = await observer(url, { after: 10 });
    await far.until(() => far.numbers.length === 40);
    expect(far.messages[1]).toMatchObject({ type: 'gap', from: 11, to: 60, count: 50 });
  });

  it('restarts for a client of another stream, and refuses impossible numbers', async () => {
    const { sink, url } = await streamServer();
    await sink.write(emissions(5));
    const moved = await observer(url, { after: 1_000, stream: 'of an earlier emulator' });
    await moved.until(() => moved.numbers.length === 5);
    expect(moved.messages[0]).toMatchObject({ next: 1 });

    const lost = await rawClient(url);
    lost.send({ type: 'subscribe', mode: 'observe', after: 6 });
    expect(await lost.message('error')).toMatchObject({ code: 'bad-message' });
    expect(await lost.closed()).toBe(1008);
  });

  it('sends a slow observer the number of missed records, without delaying others', async () => {
    const { sink, url } = await streamServer({ history: { records: 200, bytes: 8e6 } });
    const stuck = await observer(url);
    const reading = await observer(url);
    stuck.socket.pause();
    // 40 MB: more than the buffers of both sockets take.
    const total = 4_000;
    for (let n = 1; n <= total; n++) {
      await sink.write([emission(n, { bytes: Buffer.alloc(10_000, 'x') })]);
      if (n % 100 === 0) await reading.until(() => reading.numbers.length === n);
    }
    expect(reading.numbers).toEqual(range(1, total));

    stuck.socket.resume();
    await stuck.until(() => stuck.numbers.at(-1) === total);
    const gaps = stuck.messages.filter(({ type }) => type === 'gap');
    const missed = gaps.reduce((sum, { count }) => sum + count, 0);
    expect(missed).toBeGreaterThan(1_000);
    expect(stuck.numbers.length + missed).toBe(total);
    const reported = [...stuck.numbers, ...gaps.flatMap(({ from, to }) => range(from, to))];
    expect(reported.sort((a, b) => a - b)).toEqual(range(1, total));
  });

  it('gives observers their turn while a run writes without pause', async () => {
    const { sink, url } = await streamServer({ history: { records: 1_000, bytes: 8e6 } });
    const client = await observer(url);
    for (let first = 1; first <= 20_000; first += 50) await sink.write(emissions(50, first));
    await client.until(() => client.numbers.at(-1) === 20_000);
    expect(client.numbers.length).toBeGreaterThan(10_000);
  });

  it('ends with the number of the last record, also for late observers', async () => {
    const { sink, url } = await streamServer();
    const early = await observer(url);
    await sink.write(emissions(3));
    await sink.end();
    expect(await early.message('end')).toMatchObject({ last: 3 });
    expect(early.messages.map(({ type }) => type)).toEqual(['welcome', 'batch', 'end']);
    const late = await observer(url);
    expect(await late.message('end')).toMatchObject({ last: 3 });
    expect(late.numbers).toEqual([1, 2, 3]);
  });

  it('waits at the end for observers to read, but not for ever', async () => {
    const clock = virtualClock();
    const { sink, url } = await streamServer({ clock });
    const stuck = await observer(url);
    stuck.socket.pause();
    await sink.write(
      Array.from({ length: 1_500 }, (_, n) => emission(n, { bytes: Buffer.alloc(10_000, 'x') })),
    );
    let ended = false;
    const ending = Promise.resolve(sink.end()).then(() => {
      ended = true;
    });
    clock.advance(4_999);
    await turns();
    expect(ended).toBe(false);
    clock.advance(1);
    await ending;
  });
});

import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { OutgoingEvent } from '../../../../emulator/index.js';
import { fileFaultLog, type FaultLog } from '../../../../emulator/run/faults/fault-log.js';
import { injectFaults } from '../../../../emulator/run/faults/inject.js';
import { type Faults, readFaults } from '../../../../emulator/run/faults/settings.js';
import type { PullResult, Source } from '../../../../emulator/run/source.js';
import { catalogue, occupied, outgoing, sourceOf, switchedTo, through } from './faulty-run.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const idOf = ({ envelope }: OutgoingEvent) => envelope.id;

describe('faults', () => {
  it('hit the same events in the same way in every release', async () => {
    const everything =
      'duplicate=20%,reorder=20%:30s,delay=20%:2m,drop=10%,corrupt=10%,invalid=10%,unknown-event=10%,unknown-version=10%,extra-field=10%,burst=10x:30s:50%';
    const events = Array.from({ length: 500 }, (_, n) => occupied(n, n * 7 * second, `A-${n % 9}`));
    const { ledger, sendings } = await through(everything, events);
    const sent = sendings.map(({ at, emissions }) => [
      at,
      emissions.map(({ bytes }) => bytes.toString('hex')),
    ]);
    const digest = createHash('sha256').update(JSON.stringify([ledger, sent]));
    expect(digest.digest('hex')).toBe('f5d273be07e66daed4d85b875e0085251b9bc9b3217bd091da067fafa76da2a6');
  });

  it.each([
    ['account.*', 2],
    ['*.occupied', 1],
    ['account.occupied', 1],
    ['account.occupied-v1', 1],
    ['account.occupied-v2', 0],
    ['*-v1', 2],
    ['supply.*', 0],
  ])('happen to events of %s only', async (only, count) => {
    const events = [outgoing(1), outgoing(2, { type: 'account.created' })];
    const { counts } = await through({ drop: '100%', only }, events);
    expect(counts.get('drop') ?? 0).toBe(count);
  });

  it('note how late each event is', async () => {
    const parameters = async (faults: Faults) =>
      (await through(faults, [occupied(1, 3 * second)])).ledger.map((each) => [each.fault, each.parameters]);
    expect(await parameters('drop=100%')).toEqual([['drop', {}]]);
    expect(await parameters('duplicate=100%')).toEqual([['duplicate', { copies: 1 }]]);
    expect(await parameters('delay=100%:10m')).toEqual([['delay', { milliseconds: 10 * minute }]]);
    expect(await parameters('burst=10x:30s:100%')).toEqual([['burst', { milliseconds: 267_300 }]]);
    expect(await parameters('reorder=100%:1ms')).toEqual([['reorder', { milliseconds: 1 }]]);
  });

  it('leave out masked bursts', async () => {
    const mask = (fault: string) => fault !== 'burst';
    const { emissions } = await through('burst=10x:30s:100%', [occupied(1, 3 * second)], { mask });
    expect(emissions).toEqual([occupied(1, 3 * second)]);
  });

  it('reorder an event by up to the whole time', async () => {
    const events = Array.from({ length: 2_000 }, (_, n) => occupied(n, n));
    const { ledger } = await through('reorder=100%:50ms', events);
    const times = ledger.map(({ parameters }) => Number(parameters.milliseconds));
    expect([Math.min(...times), Math.max(...times)]).toEqual([1, 50]);
  });

  it('let later events of a key wait for a reordered one, unless they may overtake it', async () => {
    const events = [occupied(1, 0, 'A'), occupied(2, 1, 'A'), occupied(3, 2, 'A')];
    const mask = (_: string, id: string) => id === idOf(events[0]!);
    const instants = async (faults: Faults) => {
      const { sendings, ledger } = await through(faults, events, { mask });
      const by = Number(ledger[0]!.parameters.milliseconds);
      return {
        by,
        sent: sendings.flatMap(({ at, emissions }) => emissions.map((each) => [at, each.key, idOf(each)])),
      };
    };
    const kept = await instants('reorder=100%:1h');
    expect(kept.sent.map(([at]) => at)).toEqual([kept.by, kept.by, kept.by]);
    const loose = await instants('reorder=100%:1h,reorder-within-key');
    expect(loose.sent.map(([at]) => at)).toEqual([1, 2, loose.by]);
  });

  it('burst in one window of ten, and spread its events over the last span', async () => {
    const events = Array.from({ length: 3_000 }, (_, n) => occupied(n, n * 100 * second));
    const { emissions, ledger } = await through('burst=10x:30s', events);
    const windowOf = (at: number) => Math.floor(at / (300 * second));
    const hit = new Set<number>();
    for (const { at, sentAt } of emissions) {
      if (sentAt === undefined) continue;
      hit.add(windowOf(at));
      const start = windowOf(at) * 300 * second;
      expect(sentAt).toBe(start + 270 * second + Math.floor((at - start) / 10));
    }
    expect(ledger).toHaveLength(emissions.filter(({ sentAt }) => sentAt !== undefined).length);
    expect(Math.abs(hit.size - 100)).toBeLessThan(40);
  });

  it('send the versions of an occurrence together, and other events apart', async () => {
    const version = (n: number, occurrence: string) => {
      const event = outgoing(n, { at: minute, key: 'A' });
      return { ...event, headers: { ...event.headers, 'occurrence-id': occurrence } };
    };
    const events = [version(1, 'one'), version(2, 'one'), version(3, 'other'), outgoing(4, { at: minute })];
    const { sendings } = await through('delay=100%:10m', events);
    expect(sendings.map(({ at, emissions }) => [at, emissions.map(idOf)])).toEqual([
      [11 * minute, events.slice(0, 2).map(idOf)],
      [11 * minute, [idOf(events[2]!)]],
      [11 * minute, [idOf(events[3]!)]],
    ]);
  });

  it('duplicate an event that was changed with its marks', async () => {
    const { emissions } = await through('duplicate=100%,delay=100%:10m,extra-field=100%', [occupied(1, 0)]);
    expect(emissions.map(({ faults }) => faults)).toEqual([
      ['extra-field', 'delay'],
      ['extra-field', 'delay', 'duplicate'],
    ]);
    expect(emissions.map(({ sentAt }) => sentAt)).toEqual([10 * minute, 10 * minute]);
  });

  it('change from the instant of a switch on', async () => {
    const events = [occupied(1, 0), occupied(2, minute), occupied(3, 2 * minute), occupied(4, 3 * minute)];
    const switched = [switchedTo('drop=100%', minute), switchedTo(null, 3 * minute)];
    const { emissions } = await through('duplicate=0%', events, { switched });
    expect(emissions.map(idOf)).toEqual([idOf(events[0]!), idOf(events[3]!)]);
    const without = await through(null, events, { switched });
    expect(without.emissions).toEqual(emissions);
  });
});

describe('faults of a source that idles', () => {
  /** Pulls from faults over a source with these results. Its calls note their limits. */
  function pulling(results: readonly PullResult[], faults: Faults | null = 'delay=100%:10m', log?: FaultLog) {
    const limits: (number | undefined)[] = [];
    const calls: string[] = [];
    let next = 0;
    const source: Source = {
      ...sourceOf([]),
      next(limit) {
        limits.push(limit);
        return results[next++];
      },
      close: () => void calls.push('source closed'),
    };
    const settings = readFaults(faults ?? {});
    const injected = injectFaults(source, {
      seed: 1,
      settings,
      laterSettings: [],
      catalogue,
      ...(log && { log }),
    });
    return { injected, limits, calls };
  }
  const item = (event: OutgoingEvent): PullResult => ({ at: event.at, emissions: [event] });
  const event = occupied(1, 0);

  it('send a delayed event when it is due, and idle until then', async () => {
    const idle = { idleUntil: hour };
    const { injected } = pulling([item(event), idle, idle, idle, idle]);
    expect(await injected.next(minute)).toEqual({ idleUntil: 10 * minute });
    expect(await injected.next(10 * minute - 1)).toEqual({ idleUntil: 10 * minute });
    expect(await injected.next(10 * minute)).toMatchObject({ at: 10 * minute });
    expect(await injected.next(10 * minute)).toEqual({ idleUntil: hour });
  });

  it('send nothing of the instant at which an input may come', async () => {
    const { injected } = pulling([item(event), { idleUntil: 10 * minute }, { idleUntil: 10 * minute + 1 }]);
    expect(await injected.next(hour)).toEqual({ idleUntil: 10 * minute });
    expect(await injected.next(hour)).toMatchObject({ at: 10 * minute });
  });

  it('pass the limit on, and send the rest at the end', async () => {
    const { injected, limits } = pulling([item(event), undefined]);
    expect(await injected.next(minute)).toMatchObject({ at: 10 * minute });
    expect(await injected.next(minute)).toBeUndefined();
    expect(limits).toEqual([minute, minute]);
    const quiet = pulling([item(event)], null);
    expect(await quiet.injected.next(minute)).toEqual(item(event));
    expect(quiet.limits).toEqual([minute]);
  });

  it('read promises of a source', async () => {
    const promised = (result: PullResult) => Promise.resolve(result) as unknown as PullResult;
    const { injected } = pulling([promised(item(event)), promised({ idleUntil: hour }), promised(undefined)]);
    expect(await injected.next(minute)).toEqual({ idleUntil: 10 * minute });
    expect(await injected.next(minute)).toMatchObject({ at: 10 * minute });
    expect(await injected.next(minute)).toBeUndefined();
  });

  it('reach the fault log before the events that follow', async () => {
    const written: string[] = [];
    const file = {
      size: 0,
      write: (lines: Buffer) => {
        written.push(lines.toString());
        return Promise.resolve();
      },
      close: () => {
        written.push('closed');
        return Promise.resolve();
      },
    };
    const { injected, calls } = pulling(
      [item(event), { idleUntil: hour }],
      'delay=100%:10m',
      fileFaultLog(file),
    );
    await injected.next(minute);
    expect(written).toEqual([]);
    await injected.flush!();
    const line = { event: idOf(event), fault: 'delay', parameters: { milliseconds: 10 * minute } };
    expect(written).toEqual([`${JSON.stringify(line)}\n`]);
    await injected.close();
    expect(calls).toEqual(['source closed']);
    expect(written.at(-1)).toBe('closed');
  });

  it('hold 100,000 delayed events, and name the limit at one more', async () => {
    const many = { at: 0, emissions: new Array(100_000).fill(event) };
    const { injected } = pulling([many, { idleUntil: hour }, item(event)]);
    expect(await injected.next(minute)).toEqual({ idleUntil: 10 * minute });
    const message =
      'More than 100000 delayed events. Set shorter times or smaller shares for "delay", "reorder" and "burst".';
    expect(() => injected.next(minute)).toThrow(
      expect.objectContaining({ code: 'capacity-exceeded', message }) as Error,
    );
  });

  it('wait until a full part of the fault log is written', async () => {
    let written: () => void = () => undefined;
    const log = fileFaultLog({
      size: 0,
      write: () => new Promise((resolve) => void (written = resolve)),
      close: () => Promise.resolve(),
    });
    const many = { at: 0, emissions: new Array<OutgoingEvent>(1_000).fill(event) };
    const { injected, limits } = pulling([many, undefined], 'drop=100%', log);
    const end = injected.next(minute);
    expect(limits).toHaveLength(1);
    written();
    expect(await end).toBeUndefined();
    expect(limits).toEqual([minute, minute]);
  });

  it('close without a fault log', async () => {
    const { injected, calls } = pulling([]);
    await injected.flush?.();
    await injected.close();
    expect(calls).toEqual(['source closed']);
  });
});

describe('fileFaultLog()', () => {
  it('writes when 64 KiB wait, or at the end', async () => {
    const sizes: number[] = [];
    let isClosed = false;
    const log = fileFaultLog({
      size: 0,
      write: (lines) => {
        sizes.push(lines.length);
        return Promise.resolve();
      },
      close: () => {
        isClosed = true;
        return Promise.resolve();
      },
    });
    const rest = '{"event":"","fault":"drop","parameters":{}}\n'.length;
    const add = () => log.add({ event: 'e'.repeat(1024 - rest), fault: 'drop', parameters: {} });
    for (let n = 0; n < 63; n++) add();
    expect(log.flush()).toBeUndefined();
    add();
    await log.flush();
    expect(sizes).toEqual([64 * 1024]);
    add();
    await log.flush();
    expect(sizes).toEqual([64 * 1024]);
    await log.close();
    expect(sizes).toEqual([64 * 1024, 1024]);
    expect(isClosed).toBe(true);
  });

  it('keeps the log of an earlier run when this one did not start', async () => {
    const write = vi.fn(() => Promise.resolve());
    const log = fileFaultLog({ size: 0, write, close: () => Promise.resolve() });
    await log.close();
    expect(write).not.toHaveBeenCalled();
  });
});

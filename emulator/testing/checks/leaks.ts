import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { CatalogueEvent } from '../../../catalogue/index.js';
import { virtualClock } from '../../../src/base/clock.js';
import { silentLogger } from '../../../src/base/logger.js';
import { memory } from '../../../src/transports/memory.js';
import { formatUuid } from '../../engine/uuid.js';
import { type Delivery, payloadOf, recordOf, sentEvent, untouched } from '../verify/delivery.js';
import type { Subject } from '../verify/subject.js';
import { VirtualRun } from '../virtual-run.js';
import { type Check, type Exhibit, found } from './check.js';

/**
 * Heap and handles stay flat over 5,000 deliveries, of new events about the same few households: a state that is as
 * large as the world does not grow by them.
 */
export const leaksCheck: Check = {
  name: 'leaks',
  title: 'heap and handles stay flat over 5,000 deliveries',
  async *run(subject) {
    const { handled, seed } = subject;
    if (handled.length === 0) return;
    const exhibit = { plan: { seed }, deliveries: handled.map((event) => subject.fullSampleOf(event, 0)) };
    yield found('5,000 deliveries', await wrong(subject, exhibit), exhibit);
  },
  wrongWith: wrong,
  // Each takes 5,000 deliveries.
  mostQuestions: 4,
};

/** Of what is shown the names matter: so many deliveries are of those events in turn. */
async function wrong(subject: Subject, { deliveries }: Exhibit): Promise<string | undefined> {
  const names = new Set(deliveries.map(({ sent }) => sent.name));
  const leaking = subject.handled.filter(({ name }) => names.has(name));
  return leaking.length === 0 ? undefined : leakIn(subject, leaking);
}

const windows = 5;
/**
 * Watched further while it looks like a leak: a cache may still be filling, and what the clock on the wall sets free,
 * as a request's timeout, comes and goes.
 */
const mostWindows = 10;
const perWindow = 1000;

/**
 * What makes a leak of each delivery, in bytes. In the heap, a record of what was seen, as the identity of the event,
 * takes less, and a kept event more. A database in WebAssembly, which is outside, takes less for such a record.
 */
const leastLeak = { heap: 256, outside: 512 } as const;

/** So many timers, sockets and the like for each thousand deliveries. */
const leastHandles = 10;

interface Memory {
  /** In bytes. */
  readonly heap: number;
  /** Buffers and the like, in bytes. */
  readonly outside: number;
}

/** A leak grows in every window after the first; what was warming up, or grows now and then, does not. */
async function leakIn(subject: Subject, handled: readonly CatalogueEvent[]): Promise<string | undefined> {
  const clock = virtualClock(Date.UTC(2026, 2, 2, 9));
  const transport = memory({ clock });
  const run = new VirtualRun({
    consumer: await subject.fresh(),
    transport,
    clock,
    random: () => 0.5,
    logger: silentLogger,
    patience: subject.options.patience ?? 4000,
  });
  const next = events(subject, handled);
  const deliverWindow = async () => {
    for (let sent = 0; sent < perWindow; sent += batch) {
      for (let nth = 0; nth < batch; nth++) transport.send(recordOf(next()));
      await run.settle();
    }
    // What the bench itself keeps is no leak of the consumer's.
    run.outcomes.length = 0;
    (transport.deadLetters as unknown[]).length = 0;
  };
  const collectGarbage = garbageCollector();
  const least = { heap: Infinity, outside: Infinity, handles: Infinity };
  try {
    await deliverWindow();
    let known = await memoryInUse(collectGarbage);
    let handles = handlesInUse();
    for (let window = 1; window < mostWindows; window++) {
      if (window >= windows && told(least) === undefined) break;
      await deliverWindow();
      least.handles = Math.min(least.handles, handlesInUse() - handles);
      handles = handlesInUse();
      // Once it was flat it is no leak, whatever comes: to collect garbage takes longer than a hundred deliveries.
      if (!isLeak(least)) continue;
      const used = await memoryInUse(collectGarbage, known);
      least.heap = Math.min(least.heap, used.heap - known.heap);
      least.outside = Math.min(least.outside, used.outside - known.outside);
      known = used;
    }
  } finally {
    await run.stop();
  }
  return told(least);
}

const batch = 50;

/** Samples of a few households in turn, each time as another event. */
function events(subject: Subject, handled: readonly CatalogueEvent[]): () => Delivery {
  const samples = handled.flatMap((event) =>
    [0, 1, 2, 3].map((nth) => {
      const { sent } = subject.fullSampleOf(event, nth);
      return { event, sent, payload: payloadOf(sent) };
    }),
  );
  let count = 0;
  return () => {
    const { event, sent, payload } = samples[count % samples.length] as (typeof samples)[number];
    const id = formatUuid(0xffff_ffff, 0x7000, 0x8000_0000, count++);
    const { nth, at, key, cell } = sent;
    return untouched(sentEvent(event, payload, { nth, at, key, cell, id }));
  };
}

/** After garbage was collected; twice where it has grown, since what is finalised in one turn is freed in the next. */
async function memoryInUse(collectGarbage: () => void, before?: Memory): Promise<Memory> {
  for (let turn = 0; ; turn++) {
    await new Promise(setImmediate);
    collectGarbage();
    const { heapUsed: heap, external: outside } = process.memoryUsage();
    const hasGrown =
      before === undefined || isLeak({ heap: heap - before.heap, outside: outside - before.outside });
    if (turn > 0 || !hasGrown) return { heap, outside };
  }
}

function handlesInUse(): number {
  return process.getActiveResourcesInfo().length;
}

/** Whether a thousand deliveries may not have left so much behind. */
function isLeak({ heap, outside }: Memory): boolean {
  return heap >= leastLeak.heap * perWindow || outside >= leastLeak.outside * perWindow;
}

function told({ handles, ...memory }: Memory & { readonly handles: number }): string | undefined {
  if (handles >= leastHandles) {
    return `Timers, sockets or the like stay behind: at least ${handles} more for each ${perWindow} deliveries.`;
  }
  if (!isLeak(memory)) return undefined;
  const [place, grown] =
    memory.heap >= leastLeak.heap * perWindow
      ? ['The heap', memory.heap]
      : ['Memory outside of the heap', memory.outside];
  const bytes = Math.round(grown / perWindow);
  return `${place} grows by at least ${bytes} bytes for each delivery of a new event about the same households.`;
}

/** Node shows its garbage collector only to those who ask for it. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

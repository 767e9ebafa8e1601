import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { CatalogueEvent } from '../../../catalogue/index.js';
import { virtualClock } from '../../../src/clock.js';
import { silentLogger } from '../../../src/logger.js';
import { memory } from '../../../src/transports/memory.js';
import { formatUuid } from '../../engine/uuid.js';
import { type Delivery, payloadOf, recordOf, sentEvent, untouched } from '../verify/delivery.js';
import type { Subject } from '../verify/subject.js';
import { VirtualRun } from '../virtual-run.js';
import { type Check, type Exhibit, found } from './check.js';

/**
 * Heap and handles stay flat over 5,000 deliveries, of new events about the same few households: a state that is as
 * large as the world does not grow by them. What has grown all the while is watched for another 5,000: a cache may
 * still have been filling, and what is given free by the clock on the wall, as a request's timeout, comes and goes.
 */
export const leaksCheck: Check = {
  name: 'leaks',
  title: 'heap and handles stay flat over 5,000 deliveries',
  async *run(subject) {
    const { handled, seed } = subject;
    if (handled.length === 0) return;
    const exhibit = { plan: { seed }, deliveries: handled.flatMap((event) => fullSamples(subject, event)) };
    yield found('5,000 deliveries', await wrong(subject, exhibit), exhibit);
  },
  wrongWith: wrong,
  shrinkWithin: 30_000,
};

/** Of what is shown the names matter: so many deliveries are of those events in turn. */
async function wrong(subject: Subject, { deliveries }: Exhibit): Promise<string | undefined> {
  const names = new Set(deliveries.map(({ sent }) => sent.name));
  const leaking = subject.handled.filter(({ name }) => names.has(name));
  return leaking.length === 0 ? undefined : leakOf(subject, leaking);
}

const windows = 5;
const perWindow = 1000;

/** A record of what was seen, as the identity of each event, takes less; a kept event takes more. In bytes. */
const leastLeak = 256;

/** So many timers, sockets and the like for each thousand deliveries. */
const leastHandles = 10;

interface Reading {
  readonly heap: number;
  readonly handles: number;
}

async function leakOf(subject: Subject, handled: readonly CatalogueEvent[]): Promise<string | undefined> {
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
  const collectGarbage = garbageCollector();
  const next = events(subject, handled);
  const nextWindow = async (): Promise<Reading> => {
    for (let sent = 0; sent < perWindow; sent += batch) {
      for (let nth = 0; nth < batch; nth++) transport.send(recordOf(next()));
      await run.settle();
    }
    // What the bench itself keeps is no leak of the consumer's.
    run.outcomes.length = 0;
    (transport.deadLetters as unknown[]).length = 0;
    return reading(collectGarbage);
  };
  const seen: Reading[] = [];
  const afterMore = async () => {
    for (let window = 0; window < windows; window++) seen.push(await nextWindow());
    return leakIn(seen);
  };
  try {
    return (await afterMore()) && (await afterMore());
  } finally {
    await run.stop();
  }
}

const batch = 50;

/** Samples of a few households in turn, each time as another event. */
function events(subject: Subject, handled: readonly CatalogueEvent[]): () => Delivery {
  const samples = handled.flatMap((event) =>
    [0, 1, 2, 3].flatMap((nth) =>
      fullSamples(subject, event, nth).map(({ sent }) => ({ event, sent, payload: payloadOf(sent) })),
    ),
  );
  let count = 0;
  return () => {
    const { event, sent, payload } = samples[count % samples.length] as (typeof samples)[number];
    const id = formatUuid(0xffff_ffff, 0x7000, 0x8000_0000, count++);
    const { nth, at, key, cell } = sent;
    return untouched(sentEvent(event, payload, { nth, at, key, cell, id }));
  };
}

function fullSamples(subject: Subject, event: CatalogueEvent, nth = 0): Delivery[] {
  return subject.samplesOf(event, nth).filter(({ kind }) => kind === 'full');
}

async function reading(collectGarbage: () => void): Promise<Reading> {
  // What is finalised in one turn is freed in the next.
  for (let turn = 0; turn < 2; turn++) {
    await new Promise(setImmediate);
    collectGarbage();
  }
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed + external, handles: process.getActiveResourcesInfo().length };
}

/** A leak grows in every window; what was warming up, or grows now and then, does not. */
function leakIn(seen: readonly Reading[]): string | undefined {
  const grown = seen.slice(1).map(({ heap, handles }, index) => ({
    heap: heap - (seen[index]?.heap ?? 0),
    handles: handles - (seen[index]?.handles ?? 0),
  }));
  const handles = Math.min(...grown.map((each) => each.handles));
  if (handles >= leastHandles) {
    return `Timers, sockets or the like stay behind: at least ${handles} more for each ${perWindow} deliveries.`;
  }
  const heap = Math.min(...grown.map((each) => each.heap));
  if (heap < leastLeak * perWindow) return undefined;
  return `The heap grows by at least ${Math.round(heap / perWindow)} bytes for each delivery of a new event about the same households.`;
}

/** Node shows its garbage collector only to those who ask for it. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

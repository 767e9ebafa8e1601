import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { virtualClock } from 'busbar/base';
import type { CatalogueEvent } from 'busbar/catalogue';
import { memory } from 'busbar/internal/memory';
import { defaultStart } from '../../engine/calendar.js';
import { formatUuid } from '../../engine/uuid.js';
import type { Problem } from '../verify/causes.js';
import { type Delivery, payloadOf, recordOf, sentEvent, untouched } from '../verify/delivery.js';
import type { PlayedEvents } from '../verify/event-sequence.js';
import type { Subject } from '../verify/subject.js';
import { VirtualRun } from '../virtual-run.js';
import { type Check, type Verdict } from './check.js';

/**
 * Heap and handles stop growing while new events about the same few households are delivered. A state that is
 * proportional to the world does not grow.
 */
export const leaksCheck: Check = {
  name: 'leaks',
  title: 'heap and handles stop growing under new events',
  async *run(subject) {
    const { handled, seed } = subject;
    if (handled.length === 0) return;
    const counterexample = {
      plan: { seed },
      deliveries: handled.map((event) => subject.fullSampleOf(event, 0)),
    };
    yield { subject: 'new events', ...(await leakOf(subject, handled)), counterexample };
  },
  wrongWith: wrong,
  // Each run that shows a leak takes 10,000 deliveries.
  maxQuestions: 4,
};

/** Delivers new events with the names of these deliveries, in turn. */
async function wrong(subject: Subject, { deliveries }: PlayedEvents): Promise<Problem | undefined> {
  const names = new Set(deliveries.map(({ sent }) => sent.name));
  const leaking = subject.handled.filter(({ name }) => names.has(name));
  return leaking.length === 0 ? undefined : (await leakOf(subject, leaking)).problem;
}

/**
 * Most windows to deliver while memory or handles grow: a cache may still be filling, and a wall-clock timeout, e.g. of
 * a request, releases its memory later.
 */
const maxWindows = 10;
const perWindow = 1000;
/** Deliveries before the first window: earlier checks have filled most caches. */
const warmUp = 250;

/**
 * Growth per delivery that counts as a leak, in bytes. A stored event id takes less heap, a stored event more. Outside
 * the heap, e.g. in a WebAssembly database, a stored id takes less, too.
 */
const minLeak = { heap: 256, outside: 512 } as const;

/** Growth in timers, sockets and similar handles per thousand deliveries that counts as a leak. */
const minHandles = 10;

interface Memory {
  /** Heap in use, in bytes. */
  readonly heap: number;
  /** Buffers and WebAssembly memory, in bytes. */
  readonly outside: number;
}

/** Returns the leak, if any. A leak grows in every window; a cache that fills does not. */
async function leakOf(
  subject: Subject,
  handled: readonly CatalogueEvent[],
): Promise<Pick<Verdict, 'problem' | 'notRun'>> {
  const clock = virtualClock(defaultStart);
  const transport = memory({ clock });
  const { rest, fresh, inEnvelope } = subject.parts;
  rest.answerFrom({ seed: subject.seed }, clock);
  const run = new VirtualRun({
    consumer: await fresh(),
    transport,
    clock,
    random: () => 0.5,
    handlerTimeout: subject.options.handlerTimeout,
  });
  // A repeated statement, for example, breaks a unique key. Each would be tried again many times.
  const refused = new Set<string>();
  const isOver = () => handled.every(({ name }) => refused.has(name));
  const next = events(subject, handled);
  const deliver = async (count: number) => {
    for (let sent = 0; sent < count && !isOver(); sent += batch) {
      for (let nth = 0; nth < batch; nth++) transport.send(inEnvelope(recordOf(next(refused))));
      await run.settle();
      for (const { outcome, type, version } of run.outcomes)
        if (outcome === 'dead-lettered') refused.add(`${type}-${version}`);
    }
    await lateWork();
    // Objects of the bench are not a leak of the consumer.
    run.outcomes.length = 0;
    (transport.deadLetters as unknown[]).length = 0;
  };
  const collectGarbage = garbageCollector();
  const least = { heap: Infinity, outside: Infinity, handles: Infinity };
  try {
    await deliver(warmUp);
    let known = await memoryInUse(collectGarbage);
    let handles = handlesInUse();
    // One flat window rules out a leak: later growth is uncollected garbage.
    for (let window = 1; window < maxWindows && describeLeak(least) !== undefined; window++) {
      await deliver(perWindow);
      least.handles = Math.min(least.handles, handlesInUse() - handles);
      handles = handlesInUse();
      if (!isLeak(least)) continue;
      const used = await memoryInUse(collectGarbage, known);
      least.heap = Math.min(least.heap, used.heap - known.heap);
      least.outside = Math.min(least.outside, used.outside - known.outside);
      known = used;
    }
  } catch {
    // The run has ended, for example by a policy. Other checks report why.
    return {};
  } finally {
    await run.stop();
  }
  if (isOver()) return { notRun: 'The handlers refuse further events about the same households.' };
  const reason = describeLeak(least);
  const about = handled.length === 1 ? (handled[0]?.name ?? '') : 'consumer';
  return reason === undefined ? {} : { problem: { diagnosis: 'leaks', about, reason } };
}

const batch = 50;

/** Returns a function that returns samples of two households in turn, each with a new event id. It skips refused events. */
function events(
  subject: Subject,
  handled: readonly CatalogueEvent[],
): (refused: ReadonlySet<string>) => Delivery {
  const samples = handled.flatMap((event) =>
    [0, 1].map((nth) => {
      const { sent } = subject.fullSampleOf(event, nth);
      return { event, sent, payload: payloadOf(sent) };
    }),
  );
  let count = 0;
  return (refused) => {
    const left = samples.filter(({ event }) => !refused.has(event.name));
    const { event, sent, payload } = left[count % left.length] as (typeof samples)[number];
    const id = formatUuid(0xffff_ffff, 0x7000, 0x8000_0000, count++);
    const { nth, at, key, cell } = sent;
    return untouched(sentEvent(event, payload, { nth, at, key, cell, id }));
  };
}

/** Measures memory after garbage collection; twice if it has grown, because finalised objects are freed one turn later. */
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

/** Waits for work in immediates that handlers do not await: what it needs until it ends does not count as kept. */
async function lateWork(): Promise<void> {
  for (let turn = 0; turn < maxTurns && process.getActiveResourcesInfo().includes('Immediate'); turn++)
    await new Promise(setImmediate);
}

/** Most turns to wait: a repeating immediate never ends. */
const maxTurns = 50_000;

/** Whether growth over a thousand deliveries is a leak. */
function isLeak({ heap, outside }: Memory): boolean {
  return heap >= minLeak.heap * perWindow || outside >= minLeak.outside * perWindow;
}

function describeLeak({ handles, ...memory }: Memory & { readonly handles: number }): string | undefined {
  if (handles >= minHandles) {
    return `Timers, sockets or other handles leak: at least ${handles} for each ${perWindow} deliveries.`;
  }
  if (!isLeak(memory)) return undefined;
  const [place, grown] =
    memory.heap >= minLeak.heap * perWindow
      ? ['The heap', memory.heap]
      : ['Memory outside the heap', memory.outside];
  const bytes = Math.round(grown / perWindow);
  return `${place} grows by at least ${bytes} bytes for each delivery of a new event about the same households.`;
}

/** Returns Node's garbage collector, which a flag exposes. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

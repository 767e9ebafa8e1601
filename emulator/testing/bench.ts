import {
  type Catalogue,
  type EventType,
  openCatalogue,
  type PayloadOf,
  type VersionOf,
} from '../../catalogue/index.js';
import {
  catalogueObject,
  checkOptions,
  choice,
  either,
  instantNumber,
  loggerObject,
  nonEmptyText,
  number,
  type OptionTable,
  readOptions,
  recordOf,
  text,
  whole,
} from '../../src/base/options.js';
import { type Clock, virtualClock } from '../../src/base/clock.js';
import { type BusbarEnvelope, envelopeHeadersOf } from '../../src/envelope/busbar.js';
import { BusbarError } from '../../src/base/errors.js';
import { type Logger, silentLogger } from '../../src/base/logger.js';
import { known } from '../../src/registry.js';
import { type MemoryDeadLetter, type MemoryRecord, memory } from '../../src/transports/memory.js';
import { randomStream } from '../engine/random.js';
import { formatInstant, type Instant } from '../engine/time.js';
import { formatUuid } from '../engine/uuid.js';
import type { Emission } from '../run/emission.js';
import { defaultStart } from '../run/plan.js';
import type { Started } from '../run/session.js';
import { createSampler } from '../samples/sampler.js';
import { type BenchWorld, PlayedWorld, type PlayOptions, playOptions, type RestApi } from './bench-world.js';
import type { Outcome } from './outcomes.js';
import { type RunnableConsumer, VirtualRun } from './virtual-run.js';

export interface BenchOptions {
  /** Of the world, of event ids and of what the consumer draws, as for backoffs. Default 1. */
  readonly seed?: number;
  /** The first virtual instant, in milliseconds since the epoch. Default Monday 2 March 2026, 09:00 in London. */
  readonly start?: Instant;
  /** What events there are: the consumer's. Default: the built-in catalogue. */
  readonly catalogue?: Catalogue;
  /** Where the consumer's log goes. Default nowhere: see {@link TestBench.outcomes}. */
  readonly logger?: Logger;
  /**
   * The bench gives up when no handler has ended for so long, in milliseconds of the wall clock. Time in which a busy
   * machine stops the process hardly counts. Default 4,000.
   */
  readonly patience?: number;
}

const benchOptions = {
  seed: { type: whole(), default: 1 },
  start: { type: instantNumber, default: defaultStart, unit: 'milliseconds since 1970' },
  catalogue: { type: catalogueObject },
  logger: { type: loggerObject, default: silentLogger },
  patience: { type: number({ above: 0, to: 600_000 }), default: 4_000, unit: 'milliseconds' },
} satisfies OptionTable<BenchOptions>;

export interface DeliverOptions {
  /** The record's key. Default: what the payload says that it is about. */
  readonly key?: string | null;
  /** Headers beside those of the envelope. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The event's id; give one again for a duplicate. Default a new one. */
  readonly id?: string;
}

/** {@link DeliverOptions}, as a table. */
export const deliverOptions = {
  key: { type: either(text, choice(null)), isSecret: true },
  headers: { type: recordOf(text), isSecret: true },
  id: { type: nonEmptyText, isSecret: true },
} satisfies OptionTable<{ key: string; headers: Readonly<Record<string, string>>; id: string }>;

/**
 * A consumer with its own lanes, retries, dead letters and idempotency, on a clock that stands still while a handler
 * runs and otherwise takes no time. Calls follow one another in order; a handler must not wait for one.
 */
export interface TestBench extends AsyncDisposable {
  /** Virtual time. Move it with {@link TestBench.advance}. */
  readonly clock: Clock;
  /** What became of the records so far, in the order in which they were settled. */
  readonly outcomes: readonly Outcome[];
  /** What the consumer has set aside. */
  readonly deadLetters: readonly MemoryDeadLetter[];
  /** The truth behind what was played. */
  readonly world: BenchWorld;
  /**
   * Delivers one event, and resolves to its id when the consumer has done what it can do about it now: a retry waits
   * for {@link TestBench.idle}. The payload goes as it is.
   * @throws BusbarError `unknown-event`, `unknown-version`, `never-idle`, and what ends the consumer
   */
  deliver<T extends EventType, V extends VersionOf<T>>(
    type: T,
    version: V,
    payload: PayloadOf<T, V>,
    options?: DeliverOptions,
  ): Promise<string>;
  /** Delivers records as they are: another wire format, broken bytes, a tombstone. */
  send(...records: readonly MemoryRecord[]): Promise<void>;
  /**
   * Plays a scenario in the bench's world to its last event, each at its virtual instant; retries that fall due in
   * between happen in between. Resolves to what was started.
   * @throws BusbarError as `deliver` does, and for a scenario, branch or fault that does not exist
   */
  play(scenario: string, options?: PlayOptions): Promise<readonly Started[]>;
  /** Moves virtual time to the last retry: then everything is settled. @throws BusbarError as `deliver` does */
  idle(): Promise<void>;
  /** Moves virtual time on by so many milliseconds; retries that fall due happen. @throws BusbarError as `deliver` does */
  advance(duration: number): Promise<void>;
  /** Stops the consumer and starts it anew, as a deployment does: what is not settled is delivered again. */
  restart(): Promise<void>;
  /** Serves the platform's REST API on the same world, on a free port of 127.0.0.1, from the first call on. */
  restApi(): Promise<RestApi>;
  /** Stops the consumer and frees everything. Later calls wait for the first. */
  stop(): Promise<void>;
}

/**
 * Puts a consumer on a test bench. Nothing starts before the first call.
 * @throws BusbarError `invalid-option`
 * @example
 * const bench = createTestBench(consumer, { seed: 7 });
 * await bench.play('house-move', { instances: 10 });
 * await bench.idle();
 * await bench.stop();
 */
export function createTestBench(consumer: RunnableConsumer, options: BenchOptions = {}): TestBench {
  const settings = readOptions('createTestBench()', benchOptions, options);
  const { seed, start, logger, patience, catalogue = openCatalogue() } = settings;
  if (typeof (consumer as Partial<RunnableConsumer> | undefined)?.run !== 'function') {
    const message = 'createTestBench(): give it a consumer: what createConsumer() has made, or { run }.';
    throw new BusbarError('invalid-option', message);
  }
  const clock = virtualClock(start);
  const transport = memory({ clock });
  const random = randomStream(seed, 'bench');
  const run = new VirtualRun({ consumer, transport, clock, random: () => random.next(), logger, patience });
  const played = new PlayedWorld({
    catalogue,
    seed,
    start,
    clock,
    logger,
    sink: {
      name: 'bench',
      // What waits to be delivered should not grow old: collecting it costs more than the smaller batches.
      batchSize: 32,
      write: deliverPlayed,
      end: () => undefined,
      close: () => Promise.resolve(),
    },
  });
  let sampler: ReturnType<typeof createSampler> | undefined;
  let delivered = 0;
  let stopping: Promise<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: two that move the clock would each take the other's time. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(() => unlessStopped(work));
    last = turn.catch(() => undefined);
    return turn;
  }

  async function unlessStopped<T>(work: () => Promise<T>): Promise<T> {
    if (stopping === undefined) return work();
    throw new BusbarError('run-over', 'The test bench was stopped. Make another.');
  }

  async function deliverPlayed(emissions: readonly Emission[]): Promise<void> {
    for (const { at, sentAt = at, key, bytes, headers } of emissions) {
      if (sentAt > clock.now()) await run.advanceTo(sentAt);
      transport.send({ key, value: bytes, headers });
    }
  }

  async function deliverOne(
    type: string,
    version: string,
    payload: unknown,
    { key, headers, id = nextId() }: DeliverOptions,
  ): Promise<string> {
    const event = known(catalogue, { type, version });
    const envelope: BusbarEnvelope = {
      id,
      event_type: type,
      version,
      occurred_at: formatInstant(clock.now()),
      payload,
    };
    sampler ??= createSampler({ catalogue, seed, start });
    transport.send({
      key: key === undefined ? (await sampler).keyOf(event, payload, 0) : key,
      value: JSON.stringify(envelope),
      headers: { ...envelopeHeadersOf(type, version, id, id), ...headers },
    });
    await run.quiet();
    return id;
  }

  /** A UUIDv7 (RFC 9562, 5.7) of the present instant; the number of the event takes the place of chance. */
  function nextId(): string {
    const now = clock.now();
    const low = (now % 2 ** 16) * 2 ** 16;
    return formatUuid(Math.floor(now / 2 ** 16), low + 0x7000, 0x8000_0000, delivered++);
  }

  async function stop(): Promise<void> {
    // What is under way may never end; its handlers are given up.
    await run.stop();
    await played.stop();
  }

  const end = () => (stopping ??= stop());
  return {
    clock,
    outcomes: run.outcomes,
    deadLetters: transport.deadLetters,
    world: played.view,
    deliver: (type, version, payload, given = {}) =>
      inTurn(() => {
        checkOptions('deliver()', deliverOptions, given);
        return deliverOne(type, version, payload, given);
      }),
    send: (...records) =>
      inTurn(() => {
        transport.send(...records);
        return run.quiet();
      }),
    play: (scenario, given = {}) =>
      inTurn(async () => {
        checkOptions('play()', playOptions, given);
        const { started, until } = await played.play(scenario, given);
        await run.advanceTo(Math.max(until, clock.now()));
        return started;
      }),
    idle: () => inTurn(() => run.settle()),
    advance: (duration) => inTurn(() => run.advanceTo(clock.now() + duration)),
    restart: () =>
      inTurn(async () => {
        await run.stop();
        await run.quiet();
      }),
    // Not in turn: handlers ask it while something is played.
    restApi: () => unlessStopped(() => played.restApi()),
    stop: end,
    [Symbol.asyncDispose]: end,
  };
}

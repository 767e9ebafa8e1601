import type { EnvelopeCodec } from 'busbar';
import {
  BusbarError,
  catalogueObject,
  checkOptions,
  choice,
  type Clock,
  either,
  envelopeObject,
  instantNumber,
  type Logger,
  loggerObject,
  nonEmptyText,
  number,
  once,
  oneAtATime,
  type OptionTable,
  readOptions,
  recordOf,
  silentLogger,
  text,
  virtualClock,
  whole,
} from 'busbar/base';
import {
  type Catalogue,
  type EventType,
  type PayloadOf,
  requireEvent,
  type VersionOf,
} from 'busbar/catalogue';
import { memory, type MemoryDeadLetter, type MemoryRecord } from 'busbar/internal/memory';
import { randomStream } from '../engine/random.js';
import type { Instant } from '../engine/time.js';
import { formatUuid } from '../engine/uuid.js';
import { configuredCatalogue, configuredEnvelope } from '../run/configured.js';
import { recordsIn } from '../run/in-envelope.js';
import type { OutgoingEvent } from '../run/outgoing-event.js';
import { defaultStart } from '../engine/calendar.js';
import type { Started } from '../run/session.js';
import { createSampler } from '../samples/sampler.js';
import { type BenchWorld, PlayedWorld, type PlayOptions, playOptions } from './bench-world.js';
import type { Outcome } from './outcomes.js';
import { recordOf as sentRecordOf, sentEvent } from './verify/delivery.js';
import type { RestApi } from './verify/fake-rest-api.js';
import { type RunnableConsumer, VirtualRun } from './virtual-run.js';

/** Options of {@link createTestBench}. */
export interface BenchOptions {
  /** Seed of the world, event ids and the consumer's random numbers, e.g. for backoffs. Default 1. */
  readonly seed?: number;
  /** Virtual start time, in milliseconds since the epoch. Default Monday 2 March 2026, 09:00 in London. */
  readonly start?: Instant;
  /** The consumer's catalogue. Default: that of the nearest configuration file, else the built-in catalogue. */
  readonly catalogue?: Catalogue;
  /** The consumer's wire format. Default: that of the nearest configuration file, else `busbarEnvelope()`. */
  readonly envelope?: EnvelopeCodec;
  /** The consumer's logger. Default: silent. {@link TestBench.results} lists what became of each record. */
  readonly logger?: Logger;
  /**
   * Longest wait for a handler to end, in milliseconds of wall time. Time in which a busy machine stops the process
   * hardly counts. Default 4,000.
   */
  readonly handlerTimeout?: number;
}

const benchOptions = {
  seed: { type: whole(), default: 1 },
  start: { type: instantNumber, default: defaultStart, unit: 'milliseconds since 1970' },
  catalogue: { type: catalogueObject },
  envelope: { type: envelopeObject },
  logger: { type: loggerObject, default: silentLogger },
  handlerTimeout: { type: number({ above: 0, to: 600_000 }), default: 4_000, unit: 'milliseconds' },
} satisfies OptionTable<BenchOptions>;

/** Options of {@link TestBench.deliver}. */
export interface DeliverOptions {
  /** Record key. Default: the key that the platform uses for this payload. */
  readonly key?: string | null;
  /** Headers next to those of the envelope. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Event id. Repeat an id to deliver a duplicate. Default: a new id. */
  readonly id?: string;
}

const deliverOptions = {
  key: { type: either(text, choice(null)), isSecret: true },
  headers: { type: recordOf(text), isSecret: true },
  id: { type: nonEmptyText, isSecret: true },
} satisfies OptionTable<{ key: string; headers: Readonly<Record<string, string>>; id: string }>;

/**
 * A test bench: runs a consumer with its lanes, retries, dead letters and idempotency in virtual time. The clock stops
 * while a handler runs; waiting takes no time. Calls run one at a time, in order. A handler must not await a call.
 */
export interface TestBench extends AsyncDisposable {
  /** Virtual clock. {@link TestBench.advance} moves it. */
  readonly clock: Clock;
  /** Results of the settled records, in the order of settling. */
  readonly results: readonly Outcome[];
  /** Records that the consumer has dead-lettered. */
  readonly deadLetters: readonly MemoryDeadLetter[];
  /** Ground truth behind the played events. */
  readonly world: BenchWorld;
  /**
   * Delivers one event with an unchanged payload. Resolves to its id as soon as the consumer has no more work at this
   * virtual time. Retries wait for {@link TestBench.idle}.
   * @throws BusbarError `unknown-event`, `unknown-version`, `never-idle`, and the error that ended the consumer
   */
  deliver<T extends EventType, V extends VersionOf<T>>(
    type: T,
    version: V,
    payload: PayloadOf<T, V>,
    options?: DeliverOptions,
  ): Promise<string>;
  /** Delivers raw records, e.g. in another wire format, with broken bytes, or tombstones. */
  send(...records: readonly MemoryRecord[]): Promise<void>;
  /**
   * Plays a scenario in the bench's world and delivers each event at its virtual time. Retries that fall due in
   * between run in between. Resolves to the started instances.
   * @throws BusbarError as `deliver`, and for an unknown scenario, branch or fault
   */
  play(scenario: string, options?: PlayOptions): Promise<readonly Started[]>;
  /** Advances virtual time until no retry is pending and every record is settled. @throws BusbarError as `deliver` */
  idle(): Promise<void>;
  /** Advances virtual time by `duration` milliseconds and runs due retries. @throws BusbarError as `deliver` */
  advance(duration: number): Promise<void>;
  /** Restarts the consumer, as a deployment does. Records that are not settled are redelivered. */
  restart(): Promise<void>;
  /** Serves the platform's REST API of the bench's world on a free port of 127.0.0.1. Later calls return the same API. */
  restApi(): Promise<RestApi>;
  /** Stops the consumer and releases every resource. Later calls wait for the first. */
  stop(): Promise<void>;
}

/**
 * Creates a test bench for a consumer. Nothing starts before the first call.
 * @throws BusbarError `invalid-option`
 * @example
 * const bench = createTestBench(consumer, { seed: 7 });
 * await bench.play('house-move', { instances: 10 });
 * await bench.idle();
 * await bench.stop();
 */
export function createTestBench(consumer: RunnableConsumer, options: BenchOptions = {}): TestBench {
  const settings = readOptions('createTestBench()', benchOptions, options);
  const { seed, start, logger, handlerTimeout } = settings;
  const openCatalogue = once(async () => settings.catalogue ?? (await configuredCatalogue()));
  const openEnvelope = once(async () => recordsIn(settings.envelope ?? (await configuredEnvelope())));
  if (typeof (consumer as Partial<RunnableConsumer> | undefined)?.run !== 'function') {
    const message = 'createTestBench() has no consumer. Pass the result of createConsumer(), or { run }.';
    throw new BusbarError('invalid-option', message);
  }
  const clock = virtualClock(start);
  const transport = memory({ clock });
  const random = randomStream(seed, 'bench');
  const run = new VirtualRun({
    consumer,
    transport,
    clock,
    random: () => random.next(),
    logger,
    handlerTimeout,
  });
  const played = new PlayedWorld({
    openCatalogue,
    seed,
    start,
    clock,
    sink: {
      name: 'bench',
      // Small batches: old objects in a long queue cost more garbage collection than the batches save.
      batchSize: 32,
      write: deliverPlayed,
      end: () => undefined,
      close: () => Promise.resolve(),
    },
  });
  let sampler: ReturnType<typeof createSampler> | undefined;
  let delivered = 0;
  let stopping: Promise<void> | undefined;
  const waitForTurn = oneAtATime();

  /** Runs calls one at a time: two that move the clock would each consume the other's time. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    return waitForTurn(() => unlessStopped(work));
  }

  async function unlessStopped<T>(work: () => Promise<T>): Promise<T> {
    if (stopping === undefined) return work();
    throw new BusbarError('run-over', 'The test bench was stopped. Create another.');
  }

  async function deliverPlayed(events: readonly OutgoingEvent[]): Promise<void> {
    const inEnvelope = await openEnvelope();
    for (const { at, sentAt = at, key, bytes, headers } of events) {
      if (sentAt > clock.now()) await run.advanceTo(sentAt);
      transport.send(inEnvelope({ key, value: bytes, headers }));
    }
  }

  async function deliverOne(
    type: string,
    version: string,
    payload: unknown,
    { key, headers, id = nextId() }: DeliverOptions,
  ): Promise<string> {
    const catalogue = await openCatalogue();
    const event = requireEvent(catalogue, { type, version });
    sampler ??= createSampler({ catalogue, seed, start });
    const about = { nth: 0, id, at: clock.now(), key: null, cell: 0 };
    const { value, headers: own } = (await openEnvelope())(
      sentRecordOf({ sent: sentEvent(event, payload, about) }),
    );
    transport.send({
      key: key === undefined ? (await sampler).keyOf(event, payload, 0) : key,
      value,
      headers: { ...own, ...headers },
    });
    await run.quiet();
    return id;
  }

  /** Returns a UUIDv7 (RFC 9562, 5.7) of the current instant, with the event's number instead of random bits. */
  function nextId(): string {
    const now = clock.now();
    const low = (now % 2 ** 16) * 2 ** 16;
    return formatUuid(Math.floor(now / 2 ** 16), low + 0x7000, 0x8000_0000, delivered++);
  }

  async function stop(): Promise<void> {
    // Pending calls may never end: their handlers are abandoned.
    await run.stop();
    await played.stop();
  }

  const end = () => (stopping ??= stop());
  return {
    clock,
    results: run.outcomes,
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
        const { started, until } = await played.play(scenario, readOptions('play()', playOptions, given));
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
    // Not in turn: handlers call the API during a play.
    restApi: () => unlessStopped(() => played.restApi()),
    stop: end,
    [Symbol.asyncDispose]: end,
  };
}

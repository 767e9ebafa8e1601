import { BusbarError, grouped, memoized, onceFor, virtualClock } from 'busbar/base';
import type { Catalogue, CatalogueEvent, Documents } from 'busbar/catalogue';
import { parseDuration } from '../../engine/read-time.js';
import { configuredCatalogue, configuredEnvelope } from '../../run/configured.js';
import { recordsIn } from '../../run/in-envelope.js';
import type { FieldReads } from 'busbar/internal/catalogue';
import { Plan, type PlanOptions } from '../../run/plan.js';
import { type BenchWorld, benchWorld } from '../bench-world.js';
import type { RunnableConsumer } from '../virtual-run.js';
import type { ConsumerSource, ContractSetup, VerifySettings } from './contract.js';
import { type EventSequence, type PlayedEvents, playSequence, withFaults } from './event-sequence.js';
import { type EventSequences, outcomesOf, playSequences } from './event-sequences.js';
import { coverageOf } from './coverage.js';
import { type Delivery, untouched, withoutFaults } from './delivery.js';
import {
  type Exercise,
  exercise,
  type ExerciseOptions,
  type ExerciseParts,
  type Linger,
} from './exercise.js';
import { ExerciseMemory } from './exercise-memory.js';
import { FieldRecorder, readAll } from './field-recorder.js';
import { FailurePoints } from './failure-points.js';
import { eventsHandledBy } from './handled-events.js';
import type { Problem } from './causes.js';
import type { Coverage } from './report.js';
import {
  type EventSamples,
  householdOf,
  sampledHouseholds,
  type SampleSource,
  sampleSource,
} from './sample-deliveries.js';
import { noteOnInexact } from './inexact.js';
import { called } from './own-function.js';
import { FakeRestApi } from './fake-rest-api.js';
import { type Comparable, comparableStates, copyOfState, withoutNoise } from './states.js';
import { StrayErrors } from './stray-errors.js';

/** A consumer under verification, with its event sequences and samples. */
export class Subject {
  readonly catalogue: Catalogue;
  readonly documents: Documents;
  readonly options: VerifySettings;
  readonly seed: number;
  /** Reason why states are not comparable; undefined if they are. */
  readonly incomparable: string | undefined;
  /** Events whose handlers hang. They are not delivered again, because each would take the whole handlerTimeout. */
  readonly hanging = new Set<string>();
  /** The consumer, and access to its state. */
  readonly parts: ExerciseParts;
  readonly failures: FailurePoints;
  readonly causes = new Set<string>();
  /** Whether the state shows work later that is open when the consumer is idle: checks then wait for it. */
  floats: Linger;
  /** Longest time after which an event may be redelivered, in milliseconds. */
  readonly redelivery: number;
  /** Fields of the state with numbers that are not exact. */
  readonly inexact = new Set<string>();
  /** Number of tried fault plans, and their duration in milliseconds. */
  readonly search = { runs: 0, duration: 0 };
  readonly #own: Prepared;
  readonly #baselines = memoized((_floats: Linger) => new ExerciseMemory());
  /** Number of events that each played plan sends. */
  readonly #lengths = new WeakMap<PlanOptions, number>();

  private constructor(own: Prepared) {
    this.#own = own;
    this.options = own.options;
    this.catalogue = own.catalogue;
    this.documents = own.documents;
    this.seed = own.options.seed;
    this.redelivery = parseDuration('redelivery', own.options.redelivery);
    this.parts = own.parts;
    this.failures = own.failures;
    this.incomparable = own.comparable.incomparable;
    this.floats = own.comparable.floats ?? false;
    for (const { plan, deliveries } of own.sequences.all) this.#lengths.set(plan, deliveries.length);
  }

  readonly #samplesOf = onceFor(async (event: CatalogueEvent): Promise<EventSamples> => {
    const { samples, sequences } = this.#own;
    const sends = (each: readonly Delivery[]) => each.some(({ sent }) => sent.name === event.name);
    const sequence = sequences.main.find(({ deliveries }) => sends(deliveries));
    if (sequence === undefined) return samples.loneOf(event);
    const { plan, households } = await this.#householdsOf(sequence);
    return { plan, ...samples.inHouseholds(event, households.filter(sends)) };
  });

  /** Plays a sequence for several households, of which it keeps the handled events. */
  readonly #householdsOf = onceFor(async ({ name, plan: own }: EventSequence) => {
    const plan = { ...own, instances: sampledHouseholds };
    const { deliveries } = await playSequence(name, plan, this.catalogue);
    const names = new Set(this.#own.handled.map((event) => event.name));
    const handled = deliveries.filter(({ sent }) => names.has(sent.name));
    return { plan, households: [...grouped(handled, ({ sent }) => sent.cell).values()] };
  });

  /**
   * Determines the events that the consumer handles, and whether its states are comparable.
   * @throws BusbarError `no-handlers`, errors in `options`, and errors that keep the consumer from running
   */
  static async open(source: ConsumerSource, options: VerifySettings): Promise<Subject> {
    const { catalogue = await configuredCatalogue(), envelope = await configuredEnvelope() } = options;
    const { seed, handlerTimeout, scenarios: names } = options;
    const strayErrors = new StrayErrors();
    const rest = new FakeRestApi(seed);
    const failures = new FailurePoints();
    const consumerOf = () =>
      consumerFrom(source, { restApi: rest.restApi, failurePoint: failures.failurePoint });
    let last: RunnableConsumer | undefined;
    const parts: ExerciseParts = {
      // Without "reset" the function empties the state, which a restart must not do.
      again: async () => (last = options.reset === undefined && last ? last : await consumerOf()),
      fresh: async () => {
        await called('reset', () => options.reset?.());
        return (last = await consumerOf());
      },
      restarts: isMaker(source) && options.reset !== undefined,
      observe: () => copyOfState(options, options.observe === undefined ? 'projection' : 'observe'),
      project: () => copyOfState(options, 'projection'),
      rest,
      strayErrors,
      inEnvelope: recordsIn(envelope),
      seed,
      handlerTimeout,
    };
    const open = async () => {
      const documents = await catalogue.documents();
      const samples = await sampleSource(catalogue, documents, seed);
      const handled = await eventsHandledBy(parts, catalogue, samples);
      const sequences = await playSequences(handled, { catalogue, seed, ...(names && { names }) });
      const seen = handled.map((event) => samples.fullOf(event, 0));
      const comparable = await comparableStates(parts, options, sequences.main[0]?.deliveries ?? seen);
      const consumer = { parts, options, catalogue, documents, failures };
      return new Subject({ ...consumer, samples, handled, sequences, comparable });
    };
    return strayErrors.during(open).catch(async (error: unknown) => {
      await rest.stop();
      throw error;
    });
  }

  get notes(): readonly string[] {
    const { noise } = this.#own.comparable;
    const named = `Not compared (differs between two equal runs, or numbers rows): ${noise.join(', ')}.`;
    return [...(noise.length === 0 ? [] : [named]), ...noteOnInexact(this.inexact)];
  }

  /** Handled events, without those whose handler hangs. */
  get handled(): readonly CatalogueEvent[] {
    return this.#own.handled.filter(({ name }) => !this.hanging.has(name));
  }

  /** Returns the deliveries of handled events: the others say nothing about the consumer. */
  handledOf(deliveries: readonly Delivery[]): readonly Delivery[] {
    const names = new Set(this.handled.map(({ name }) => name));
    return deliveries.filter(({ sent }) => names.has(sent.name));
  }

  get sequences(): readonly EventSequence[] {
    return this.#own.sequences.all.map((sequence) => this.#withoutHanging(sequence));
  }

  /** The fewest sequences with every handled event that scenarios send. */
  get mainSequences(): readonly EventSequence[] {
    return this.#own.sequences.main.map((sequence) => this.#withoutHanging(sequence));
  }

  /** Returns the handled events of several households with the scenario of the sequence. */
  async householdsOf(sequence: EventSequence): Promise<PlayedEvents> {
    const own = this.#own.sequences.all.find(({ name }) => name === sequence.name) ?? sequence;
    const { plan, households } = await this.#householdsOf(own);
    return { plan, deliveries: this.handledOf(households.flat()) };
  }

  /** Returns the samples of an event, in a scenario that sends it if there is one. */
  async samplesOf(event: CatalogueEvent): Promise<EventSamples> {
    const sampled = await this.#samplesOf(event);
    return { ...sampled, ...this.#withoutHanging(sampled) };
  }

  /** Returns a sample with all optional fields, about the `nth` household. */
  fullSampleOf(event: CatalogueEvent, nth: number): Delivery {
    return this.#own.samples.fullOf(event, nth);
  }

  /** Returns the household of the sample with all optional fields, and what comes before it. */
  async fullHouseholdOf(event: CatalogueEvent): Promise<PlayedEvents> {
    const sampled = await this.samplesOf(event);
    const { plan, samples } = sampled;
    const full = samples.find(({ kind }) => kind === 'full') ?? samples[0];
    const deliveries = full === undefined ? [] : householdOf(sampled, full);
    return { plan, deliveries: deliveries.map(({ sent }) => untouched(sent)) };
  }

  /** Returns the main sequences, and samples of handled events that none of them sends. */
  async stories(): Promise<readonly (PlayedEvents & { readonly name: string })[]> {
    const sent = new Set(
      this.mainSequences.flatMap(({ deliveries }) => deliveries.map((each) => each.sent.name)),
    );
    const others = this.handled.filter(({ name }) => !sent.has(name));
    const lone = others.map(async (event) => ({ name: event.name, ...(await this.fullHouseholdOf(event)) }));
    return [...this.mainSequences, ...(await Promise.all(lone))];
  }

  async coverage(): Promise<Coverage> {
    const { handled, sequences } = this.#own;
    const sampled = await Promise.all(handled.map((event) => this.#samplesOf(event)));
    const samples = sampled.flatMap((each) => each.samples);
    const played = sequences.all.map((each) => ({ ...each, possible: outcomesOf(each) }));
    return coverageOf(this.documents, handled, played, samples);
  }

  async exercise(
    { plan, deliveries }: PlayedEvents,
    options: Omit<ExerciseOptions, 'plan'> = {},
  ): Promise<Exercise> {
    // Work that floats would make every other check fail, too.
    const isLate = this.floats !== false && options.linger === undefined;
    const linger = (options.linger !== false && this.floats) || (options.linger ?? false);
    const all = await exercise(this.parts, deliveries, { ...options, plan, linger });
    for (const name of all.hanging) this.hanging.add(name);
    const { noise } = this.#own.comparable;
    const lateState = withoutNoise(all.lateState, noise);
    return { ...all, lateState, state: isLate ? lateState : withoutNoise(all.state, noise) };
  }

  /** Makes later exercises wait for work that is open when the consumer is idle. */
  expectLateWork(how: Linger = true): void {
    if (this.floats !== 'until still') this.floats = how;
  }

  /** Returns the problem that is left when states are read still. If there is none, later exercises read them so. */
  async whenStill(problem: () => Promise<Problem | undefined>): Promise<Problem | undefined> {
    const { floats } = this;
    this.floats = 'until still';
    const left = await problem();
    if (left !== undefined) this.floats = floats;
    return left;
  }

  /** Returns the cached result of the same events without faults. */
  baseline({ plan, deliveries }: PlayedEvents): Promise<Exercise> {
    const origins = withoutFaults(deliveries);
    return this.#baselines(this.floats).of(origins, () => this.exercise({ plan, deliveries: origins }));
  }

  /** Returns the cached result of all samples of an event. */
  async ofSamples(event: CatalogueEvent): Promise<Exercise> {
    const samples = await this.samplesOf(event);
    return this.#baselines(this.floats).of(samples.deliveries, () =>
      this.exercise(samples, { comparesPayloads: true }),
    );
  }

  /** Returns the fields that handlers read of the samples and the main sequences, or of the observed state later. */
  async fieldReads(): Promise<FieldReads> {
    const { observe, projection } = this.options;
    const recorder = new FieldRecorder(this.documents);
    const parts = {
      ...this.parts,
      observe: async () => readAll(await called('observe', () => observe?.())),
      project: async () => readAll(await called('projection', () => projection?.())),
    };
    const { observer } = recorder;
    const samples = await Promise.all(this.#own.handled.map((event) => this.samplesOf(event)));
    for (const { plan, deliveries } of [...samples, ...this.mainSequences])
      await exercise(parts, deliveries, { plan, observer });
    return recorder.reads;
  }

  /** Plays a plan, without events whose handlers hang. */
  async play(name: string, plan: PlanOptions): Promise<EventSequence> {
    const sequence = await playSequence(name, plan, this.catalogue);
    this.#lengths.set(plan, sequence.deliveries.length);
    return this.#withoutHanging(sequence);
  }

  /** Returns the deliveries of a sequence with faults, in the syntax of `--faults`. */
  async withFaults(sequence: EventSequence, faults: string): Promise<readonly Delivery[]> {
    const deliveries = await withFaults(sequence, faults, this.catalogue);
    return this.#withoutHanging({ ...sequence, deliveries }).deliveries;
  }

  /** Returns the sequence with other legal partition keys. */
  async withOtherKeys({ name, plan, deliveries }: EventSequence): Promise<Delivery[]> {
    const other = await playSequence(name, { ...plan, vary: ['keys'] }, this.catalogue);
    const keys = new Map(other.deliveries.map(({ sent }) => [sent.id, sent.key]));
    return deliveries.map((each) => ({
      ...each,
      sent: { ...each.sent, key: keys.get(each.sent.id) ?? each.sent.key },
    }));
  }

  /** Whether the deliveries include every event of the plan, with or without faults. */
  async isWhole({ plan, deliveries }: PlayedEvents): Promise<boolean> {
    if (!this.#lengths.has(plan)) await this.play('', plan);
    return withoutFaults(deliveries).length === this.#lengths.get(plan);
  }

  worldAfter({ plan, deliveries }: PlayedEvents): BenchWorld {
    const sent = withoutFaults(deliveries).map((each) => each.sent);
    const clock = virtualClock(sent.reduce((last, { at }) => Math.max(last, at), 0));
    const cells = new Set(sent.map(({ cell }) => cell));
    const played = new Plan(plan);
    return benchWorld(() => played, cells, clock);
  }

  /** Runs a check's work. Uncaught errors meanwhile are attributed to the consumer. */
  during<T>(work: () => Promise<T>): Promise<T> {
    return this.parts.strayErrors.during(work).finally(() => this.failures.stop());
  }

  stop(): Promise<void> {
    return this.parts.rest.stop();
  }

  #withoutHanging<T extends PlayedEvents>(played: T): T {
    if (this.hanging.size === 0) return played;
    const deliveries = played.deliveries.filter(({ sent }) => !this.hanging.has(sent.name));
    return { ...played, deliveries };
  }
}

interface Prepared {
  readonly parts: ExerciseParts;
  readonly options: VerifySettings;
  readonly catalogue: Catalogue;
  readonly documents: Documents;
  readonly samples: SampleSource;
  readonly handled: readonly CatalogueEvent[];
  readonly sequences: EventSequences;
  readonly comparable: Comparable;
  readonly failures: FailurePoints;
}

function isMaker(source: ConsumerSource): source is Exclude<ConsumerSource, RunnableConsumer> {
  return typeof source === 'function' && !('run' in source);
}

async function consumerFrom(source: ConsumerSource, setup: ContractSetup): Promise<RunnableConsumer> {
  const consumer = isMaker(source) ? await called('consumer', () => source(setup)) : source;
  if (typeof (consumer as Partial<RunnableConsumer> | undefined)?.run === 'function') return consumer;
  const message =
    'verifyConsumer() has no consumer: the value has no "run". Pass a consumer, { run }, or a function that makes one.';
  throw new BusbarError('invalid-option', message);
}

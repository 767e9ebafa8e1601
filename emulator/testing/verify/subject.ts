import { BusbarError, onceFor, virtualClock } from 'busbar/base';
import type { Catalogue, CatalogueEvent, Documents } from 'busbar/catalogue';
import { configuredCatalogue, configuredEnvelope } from '../../run/configured.js';
import { recordsIn } from '../../run/in-envelope.js';
import type { FieldReads } from 'busbar/internal/catalogue';
import type { MemoryRecord } from 'busbar/internal/memory';
import { Plan, type PlanOptions } from '../../run/plan.js';
import { type BenchWorld, benchWorld } from '../bench-world.js';
import type { RunnableConsumer } from '../virtual-run.js';
import type { ConsumerSource, ContractSetup, VerifySettings } from './contract.js';
import { type Course, playCourse } from './course.js';
import { type Courses, playCourses } from './event-sequences.js';
import { CoverageCount } from './coverage.js';
import { type Delivery, recordOf, withoutFaults } from './delivery.js';
import { type Exercise, exercise, type ExerciseOptions, type ExerciseParts } from './exercise.js';
import { ExerciseMemory } from './exercise-memory.js';
import { FieldRecorder, readAll } from './field-recorder.js';
import { FailurePoints } from './failure-points.js';
import { eventsHandledBy } from './handled-events.js';
import type { Coverage } from './report.js';
import { type SampleDelivery, type SampleSource, sampleSource } from './sample-deliveries.js';
import { called } from './own-function.js';
import { RestStandIn } from './fake-rest-api.js';
import { copyOfState, whyIncomparable } from './states.js';
import { StrayErrors } from './stray-errors.js';

/** A consumer under verification, with its event sequences and samples. */
export class Subject {
  readonly catalogue: Catalogue;
  readonly documents: Documents;
  readonly options: VerifySettings;
  readonly seed: number;
  /** Reason why states are not comparable; undefined if they are. */
  readonly incomparable: string | undefined;
  /** Events whose handlers hang. They are not delivered again, because each would take the whole patience. */
  readonly hanging = new Set<string>();
  /** REST API of {@link ContractSetup}. */
  readonly rest: RestStandIn;
  /** Failure points of its handlers. */
  readonly failures: FailurePoints;
  /** Number of tried fault plans, and their duration in milliseconds. */
  readonly search = { runs: 0, duration: 0 };
  readonly #handled: readonly CatalogueEvent[];
  readonly #parts: ExerciseParts;
  readonly #samples: SampleSource;
  readonly #courses: Courses;
  readonly #calm = new ExerciseMemory();
  /** Returns the number of events that a plan sends. */
  readonly #lengthOf: (plan: PlanOptions) => Promise<number>;

  private constructor(prepared: Prepared) {
    const { parts, catalogue, documents, handled, courses } = prepared;
    this.options = prepared.options;
    this.catalogue = catalogue;
    this.documents = documents;
    this.seed = parts.seed;
    this.rest = parts.rest;
    this.failures = prepared.failures;
    this.incomparable = prepared.incomparable;
    this.#handled = handled;
    this.#parts = parts;
    this.#samples = prepared.samples;
    this.#courses = courses;
    this.#lengthOf = onceFor(async (plan) => {
      const known = courses.all.find((course) => course.plan === plan);
      return (known ?? (await playCourse('', plan, catalogue))).deliveries.length;
    });
  }

  /**
   * Determines the events that the consumer handles, and whether its states are comparable.
   * @throws BusbarError `no-handlers`, errors in `options`, and errors that keep the consumer from running
   */
  static async open(source: ConsumerSource, options: VerifySettings): Promise<Subject> {
    const { catalogue = await configuredCatalogue(), envelope = await configuredEnvelope() } = options;
    const { seed, patience, scenarios: names } = options;
    const strayErrors = new StrayErrors();
    const rest = new RestStandIn(seed);
    const failures = new FailurePoints();
    const consumerOf = () => consumerFrom(source, { restApi: rest.restApi, mayFail: failures.mayFail });
    let last: RunnableConsumer | undefined;
    const parts: ExerciseParts = {
      // Without "reset" the function empties the state, which a restart must not do.
      again: async () => (last = options.reset === undefined && last ? last : await consumerOf()),
      fresh: async () => {
        await called('reset', () => options.reset?.());
        return (last = await consumerOf());
      },
      observe: () => copyOfState(options, options.observe === undefined ? 'projection' : 'observe'),
      project: () => copyOfState(options, 'projection'),
      rest,
      strayErrors,
      inEnvelope: recordsIn(envelope),
      seed,
      patience,
    };
    const open = async () => {
      const samples = await sampleSource(catalogue, seed);
      const handled = await eventsHandledBy(await parts.fresh(), catalogue, samples, parts.inEnvelope);
      const courses = await playCourses(handled, { catalogue, seed, ...(names && { names }) });
      const documents = await catalogue.documents();
      const seen = handled.map((event) => samples.anyOf(event));
      const incomparable = await whyIncomparable(parts, options, courses.main[0]?.deliveries ?? seen);
      return new Subject({
        parts,
        options,
        catalogue,
        documents,
        samples,
        handled,
        courses,
        incomparable,
        failures,
      });
    };
    return strayErrors.during(open).catch(async (error: unknown) => {
      await rest.stop();
      throw error;
    });
  }

  /** Handled events, without those whose handler hangs. */
  get handled(): readonly CatalogueEvent[] {
    return this.#handled.filter(({ name }) => !this.hanging.has(name));
  }

  /** Event sequences of all scenarios and branches. */
  get courses(): readonly Course[] {
    return this.#courses.all.map((course) => this.#withoutHanging(course));
  }

  /** The fewest sequences with every handled event that scenarios send. */
  get mainCourses(): readonly Course[] {
    return this.#courses.main.map((course) => this.#withoutHanging(course));
  }

  samplesOf(event: CatalogueEvent, nth?: number): readonly SampleDelivery[] {
    return this.#samples.of(event, nth);
  }

  /** Returns a sample with all optional fields, about the `nth` household. */
  fullSampleOf(event: CatalogueEvent, nth: number): Delivery {
    return this.#samples.fullOf(event, nth);
  }

  /** Returns samples of all kinds except unknown fields. */
  knownSamplesOf(event: CatalogueEvent): readonly SampleDelivery[] {
    return this.samplesOf(event).filter(({ kind }) => kind !== 'unknown fields');
  }

  /** Coverage of the samples and sequences. */
  get coverage(): Coverage {
    const count = new CoverageCount(this.documents, this.#handled);
    for (const event of this.#handled) for (const each of this.samplesOf(event)) count.add(each);
    for (const course of this.#courses.all) count.addCourse(course, this.#courses.outcomesOf(course));
    return count.coverage;
  }

  async exercise(deliveries: readonly Delivery[], options?: ExerciseOptions): Promise<Exercise> {
    const done = await exercise(this.#parts, deliveries, options);
    for (const name of done.hanging) this.hanging.add(name);
    return done;
  }

  /** Returns the cached result of the same events without faults. */
  calm({ plan, deliveries }: PlayedEvents): Promise<Exercise> {
    const origins = withoutFaults(deliveries);
    return this.#calm.of(origins, () => this.exercise(origins, { plan }));
  }

  /** Returns the cached result of all samples of an event. */
  ofSamples(event: CatalogueEvent): Promise<Exercise> {
    return this.calm({ plan: { seed: this.seed }, deliveries: this.samplesOf(event) });
  }

  /** Returns the fields that handlers read of the samples and the main sequences, or of the observed state later. */
  async fieldReads(): Promise<FieldReads> {
    const { observe, projection } = this.options;
    const recorder = new FieldRecorder(this.documents);
    const parts = {
      ...this.#parts,
      observe: async () => readAll(await called('observe', () => observe?.())),
      project: async () => readAll(await called('projection', () => projection?.())),
    };
    const { observer } = recorder;
    for (const event of this.#handled) await exercise(parts, this.samplesOf(event), { observer });
    for (const { plan, deliveries } of this.mainCourses)
      await exercise(parts, deliveries, { plan, observer });
    return recorder.reads;
  }

  /** Plays a plan, without events whose handlers hang. */
  async play(name: string, plan: PlanOptions): Promise<Course> {
    return this.#withoutHanging(await playCourse(name, plan, this.catalogue));
  }

  /** Returns the sequence with other legal partition keys. */
  async withOtherKeys({ name, plan, deliveries }: Course): Promise<Delivery[]> {
    const other = await playCourse(name, { ...plan, vary: ['keys'] }, this.catalogue);
    const keys = new Map(other.deliveries.map(({ sent }) => [sent.id, sent.key]));
    return deliveries.map((each) => ({
      ...each,
      sent: { ...each.sent, key: keys.get(each.sent.id) ?? each.sent.key },
    }));
  }

  /** Whether the deliveries include every event of the plan, with or without faults. */
  async isWhole({ plan, deliveries }: PlayedEvents): Promise<boolean> {
    return withoutFaults(deliveries).length === (await this.#lengthOf(plan));
  }

  /** Returns the ground truth at the end of a sequence. */
  worldAfter({ plan, deliveries }: PlayedEvents): BenchWorld {
    const sent = withoutFaults(deliveries).map((each) => each.sent);
    const clock = virtualClock(sent.reduce((last, { at }) => Math.max(last, at), 0));
    const cells = new Set(sent.map(({ cell }) => cell));
    const played = new Plan(plan);
    return benchWorld(() => played, cells, clock);
  }

  fresh(): Promise<RunnableConsumer> {
    return this.#parts.fresh();
  }

  /** Returns the record of a delivery in the consumer's wire format. */
  recordOf(delivery: Delivery): MemoryRecord {
    return this.#parts.inEnvelope(recordOf(delivery));
  }

  /** Runs a check's work. Uncaught errors meanwhile are attributed to the consumer. */
  during<T>(work: () => Promise<T>): Promise<T> {
    return this.#parts.strayErrors.during(work);
  }

  async stop(): Promise<void> {
    await this.rest.stop();
  }

  #withoutHanging(course: Course): Course {
    if (this.hanging.size === 0) return course;
    const deliveries = course.deliveries.filter(({ sent }) => !this.hanging.has(sent.name));
    return { ...course, deliveries };
  }
}

type PlayedEvents = Pick<Course, 'plan' | 'deliveries'>;

interface Prepared {
  readonly parts: ExerciseParts;
  readonly options: VerifySettings;
  readonly catalogue: Catalogue;
  readonly documents: Documents;
  readonly samples: SampleSource;
  readonly handled: readonly CatalogueEvent[];
  readonly courses: Courses;
  readonly incomparable: string | undefined;
  readonly failures: FailurePoints;
}

async function consumerFrom(source: ConsumerSource, setup: ContractSetup): Promise<RunnableConsumer> {
  const isMaker = typeof source === 'function' && !('run' in source);
  const consumer = isMaker ? await called('consumer', () => source(setup)) : source;
  if (typeof (consumer as Partial<RunnableConsumer> | undefined)?.run === 'function') return consumer;
  const message =
    'verifyConsumer() has no consumer: the value has no "run". Pass a consumer, { run }, or a function that makes one.';
  throw new BusbarError('invalid-option', message);
}

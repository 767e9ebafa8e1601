import {
  type Catalogue,
  type CatalogueEvent,
  type Documents,
  openCatalogue,
} from '../../../catalogue/index.js';
import { onceFor } from '../../../src/base/once.js';
import { virtualClock } from '../../../src/base/clock.js';
import { BusbarError } from '../../../src/base/errors.js';
import type { PlanOptions } from '../../run/plan.js';
import { worldAt } from '../../run/world-at.js';
import { type BenchWorld, worldOf } from '../bench-world.js';
import type { Exhibit } from '../checks/check.js';
import type { RunnableConsumer } from '../virtual-run.js';
import type { ConsumerSource, ContractSetup, VerifyOptions } from './contract.js';
import { type Course, playCourse } from './course.js';
import { type Courses, playCourses } from './courses.js';
import { CoverageCount } from './coverage.js';
import { type Delivery, withoutFaults } from './delivery.js';
import { type Exercise, exercise, type ExerciseOptions, type ExerciseParts } from './exercise.js';
import { ExerciseMemory } from './exercise-memory.js';
import { FailurePoints } from './failure-points.js';
import { eventsHandledBy } from './handled-events.js';
import type { Coverage } from './report.js';
import { type SampleDelivery, type SampleSource, sampleSource } from './sample-deliveries.js';
import { called } from './own-function.js';
import { RestStandIn } from './stand-in.js';
import { copyOfState, whyIncomparable } from './states.js';
import { StrayErrors } from './stray-errors.js';

/** A consumer that is being verified, with what it is shown. */
export class Subject {
  readonly catalogue: Catalogue;
  readonly documents: Documents;
  readonly options: VerifyOptions;
  readonly seed: number;
  /** Why states cannot be compared; undefined where they can. */
  readonly incomparable: string | undefined;
  /** Events whose handlers hang: to show them again would cost the same patience again. */
  readonly hanging = new Set<string>();
  /** Of the platform's REST API that the consumer may have been given. */
  readonly rest: RestStandIn;
  /** Where its work may meet an error. */
  readonly failures: FailurePoints;
  /** Fault plans that were tried, and how long that took, in milliseconds. */
  readonly search = { runs: 0, duration: 0 };
  readonly #handled: readonly CatalogueEvent[];
  readonly #parts: ExerciseParts;
  readonly #samples: SampleSource;
  readonly #courses: Courses;
  readonly #calm = new ExerciseMemory();
  /** How much a plan sends. */
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
   * Finds out what the consumer handles, and whether its states can be compared.
   * @throws BusbarError what keeps the consumer from running, `no-handlers`, and what `options` has that is wrong
   */
  static async open(source: ConsumerSource, options: VerifyOptions): Promise<Subject> {
    const { catalogue = openCatalogue(), seed = 1, patience = 4000, scenarios: names } = options;
    const strayErrors = new StrayErrors();
    const rest = new RestStandIn(seed);
    const failures = new FailurePoints();
    const consumerOf = () => consumerFrom(source, { restApi: rest.restApi, mayFail: failures.mayFail });
    let last: RunnableConsumer | undefined;
    const parts: ExerciseParts = {
      // Without "reset" it is the function that empties the state, and a restart must not.
      again: async () => (last = options.reset === undefined && last ? last : await consumerOf()),
      fresh: async () => {
        await called('reset', () => options.reset?.());
        return (last = await consumerOf());
      },
      observe: () => copyOfState(options, options.observe === undefined ? 'projection' : 'observe'),
      project: () => copyOfState(options, 'projection'),
      rest,
      strayErrors,
      seed,
      patience,
    };
    const open = async () => {
      const samples = await sampleSource(catalogue, seed);
      const handled = await eventsHandledBy(await parts.fresh(), catalogue, samples);
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

  /** What is shown to the consumer: events that it handles, without those whose handler hangs. */
  get handled(): readonly CatalogueEvent[] {
    return this.#handled.filter(({ name }) => !this.hanging.has(name));
  }

  /** Every handled event, in every scenario and branch. */
  get courses(): readonly Course[] {
    return this.#courses.all.map((course) => this.#withoutHanging(course));
  }

  /** As few courses as show every handled event that scenarios have. */
  get mainCourses(): readonly Course[] {
    return this.#courses.main.map((course) => this.#withoutHanging(course));
  }

  samplesOf(event: CatalogueEvent, nth?: number): readonly SampleDelivery[] {
    return this.#samples.of(event, nth);
  }

  /** A sample with every field that the event can have, about the `nth` household. */
  fullSampleOf(event: CatalogueEvent, nth: number): Delivery {
    return this.#samples.fullOf(event, nth);
  }

  /** Samples of all kinds but those with unknown fields, one after the other. */
  knownSamplesOf(event: CatalogueEvent): readonly SampleDelivery[] {
    return this.samplesOf(event).filter(({ kind }) => kind !== 'unknown fields');
  }

  /** What there is to be shown: samples of all kinds, and the courses. */
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

  /** What comes of the same events without faults; found out once. */
  calm({ plan, deliveries }: Exhibit): Promise<Exercise> {
    const origins = withoutFaults(deliveries);
    return this.#calm.of(origins, () => this.exercise(origins, { plan }));
  }

  /** What comes of every sample of an event; found out once. */
  ofSamples(event: CatalogueEvent): Promise<Exercise> {
    return this.calm({ plan: { seed: this.seed }, deliveries: this.samplesOf(event) });
  }

  /** What a plan sends, but for events whose handlers hang. */
  async play(name: string, plan: PlanOptions): Promise<Course> {
    return this.#withoutHanging(await playCourse(name, plan, this.catalogue));
  }

  /** The same course where the platform draws its partition keys in another legal way. */
  async withOtherKeys({ name, plan, deliveries }: Course): Promise<Delivery[]> {
    const other = await playCourse(name, { ...plan, vary: ['keys'] }, this.catalogue);
    const keys = new Map(other.deliveries.map(({ sent }) => [sent.id, sent.key]));
    return deliveries.map((each) => ({
      ...each,
      sent: { ...each.sent, key: keys.get(each.sent.id) ?? each.sent.key },
    }));
  }

  /** Whether that is all that the plan sends, whatever goes wrong with it. */
  async isWhole({ plan, deliveries }: Exhibit): Promise<boolean> {
    return withoutFaults(deliveries).length === (await this.#lengthOf(plan));
  }

  /** The truth at the end of a course. */
  worldAfter({ plan, deliveries }: Exhibit): BenchWorld {
    const sent = withoutFaults(deliveries).map((each) => each.sent);
    const clock = virtualClock(sent.reduce((last, { at }) => Math.max(last, at), 0));
    const cells = new Set(sent.map(({ cell }) => cell));
    return worldOf({ plan: () => plan, cells, worldAt: worldAt(() => plan), clock });
  }

  fresh(): Promise<RunnableConsumer> {
    return this.#parts.fresh();
  }

  /** Does that work of a check; errors that nobody catches meanwhile are the consumer's. */
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

interface Prepared {
  readonly parts: ExerciseParts;
  readonly options: VerifyOptions;
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
    'verifyConsumer(): give it a consumer, { run }, or a function that makes one: what it was given has no "run".';
  throw new BusbarError('invalid-option', message);
}

import { allEnded } from './all-ended.js';
import { createHash } from 'node:crypto';
import { type Delivery, isEventLog, isFaulty, occurrenceOf } from '../verify/delivery.js';
import { type Change, countedTwice, type Explanation, meaningOf } from '../verify/diagnose.js';
import { type Observed, type Row, rowsOf, shared } from '../verify/households.js';
import { differencesOf, noNoise, type NoiseMask, type TableDifference } from '../verify/noise.js';
import type { Budget } from './budget.js';
import { Copy, type ServiceSetup } from './copies.js';
import { controlOf, type Experiment, later, marked, version } from './experiment.js';
import { play } from './inject.js';
import type { Exit } from './process.js';
import { quiet, Restless } from './quiet.js';
import type { ServiceWorld } from './world.js';

/** The end of one run of a service. */
export interface Outcome {
  /** Undefined if the service did not become quiet. */
  readonly state?: Observed;
  readonly restless?: Restless;
  /** Record at the committed offset of a stalled service. */
  readonly stuckAt?: Delivery;
  /** Whether the service met the fault. */
  readonly isMet: boolean;
  readonly exits: readonly Exit[];
  /** See {@link Copy.redelivered} and {@link Copy.inHand}. */
  readonly redelivered: ReadonlySet<string>;
  readonly inHand: Copy['inHand'];
}

/** The part of an experiment that decides the state after it. */
type Played = Pick<Experiment, 'deliveries' | 'fault'>;

/** A run whose result differs from that of the run without the fault. */
export interface Wrong extends Outcome {
  readonly differences: readonly TableDifference[];
}

/** A wrong state, or one household's part of it, and the records without faults. */
type Case = Pick<Wrong, 'differences'> & { readonly control: readonly Delivery[]; readonly state: Observed };

/** Runs of a service from an empty state, each compared with a run without the fault. */
export class Trials {
  readonly setup: ServiceSetup;
  readonly world: ServiceWorld;
  mask: NoiseMask = noNoise;
  /** State after all households without faults. */
  baseline: Observed = {};
  /** Whether warnings are failures. */
  isStrict = false;
  readonly #controls = new Map<string, Promise<Outcome>>();

  constructor(setup: ServiceSetup, world: ServiceWorld) {
    this.setup = setup;
    this.world = world;
  }

  /** Returns the same trials within another budget. */
  within(budget: Budget): Trials {
    const { mask, baseline, isStrict } = this;
    return Object.assign(new Trials({ ...this.setup, budget }, this.world), { mask, baseline, isStrict });
  }

  /** Whether rows belong to no single household, so that only whole states can be compared. */
  get hasShared(): boolean {
    return Object.entries(rowsOf(this.baseline, shared, this.world.ownerOf)).some(
      ([table, rows]) => rows.length > 0 && !this.mask.tables.includes(table),
    );
  }

  /** Reason why no states can be compared; undefined if some can. */
  get incomparable(): string | undefined {
    const filled = Object.keys(this.baseline).filter((table) => this.baseline[table]?.length !== 0);
    if (filled.some((table) => !this.mask.tables.includes(table))) return undefined;
    return 'Two equal runs lead to different numbers of rows in every table of "observe". Commit an event after its work.';
  }

  /** Opens a copy, at the second try if need be: a client may get no partitions once in many starts. */
  async openCopy(
    { timeZone: TZ }: Experiment['fault'] = {},
    isWorthAgain = (_error: unknown) => true,
  ): Promise<Copy> {
    const open = () => Copy.open(this.setup, TZ === undefined ? {} : { TZ });
    try {
      return await open();
    } catch (error) {
      if (this.setup.budget.isSpent || !isWorthAgain(error)) throw error;
      return open();
    }
  }

  /** Runs one experiment on a service with an empty state. @param isTeaching See {@link quiet}. */
  async run(experiment: Experiment, isTeaching = false): Promise<Outcome> {
    const copy = await this.openCopy(experiment.fault);
    try {
      return await outcomeOf(copy, () => play(copy, experiment), isTeaching);
    } finally {
      await copy.close();
    }
  }

  /** Returns what is wrong with the experiment; undefined for nothing. */
  async wrongWith(experiment: Experiment): Promise<Wrong | undefined> {
    return (await this.tried(experiment)).wrong;
  }

  /** Returns what is wrong with the experiment, if anything, and whether the service met the fault. */
  async tried(
    experiment: Experiment,
  ): Promise<{ readonly wrong?: Wrong | undefined; readonly isMet: boolean }> {
    if (experiment.wrongIf === 'counted twice')
      return { wrong: await this.#countedTwice(experiment), isMet: true };
    const [control, outcome] = await allEnded([this.#controlFor(experiment), this.run(experiment)]);
    return { wrong: await this.#differing(experiment, control, outcome), isMet: outcome.isMet };
  }

  async #differing(experiment: Experiment, control: Observed, outcome: Outcome): Promise<Wrong | undefined> {
    const { state } = outcome;
    if (state === undefined) return { ...outcome, differences: [] };
    const isExit = this.setup.contract.supervised === false && outcome.exits.length > 0;
    const differences = differencesOf(control, state, this.maskOf(experiment));
    if (differences.length === 0) return isExit ? { ...outcome, differences } : undefined;
    if (experiment.wrongIf === 'without effect') {
      const without = await this.stateWithout(experiment.deliveries, isFaulty);
      if (without === undefined || differencesOf(without, state, this.mask).length > 0) return undefined;
    }
    return { ...outcome, differences };
  }

  async #countedTwice(experiment: Experiment): Promise<Wrong | undefined> {
    const { deliveries } = experiment;
    const versions = deliveries.filter(({ faults }) => faults.includes(version));
    const [first, second] = versions;
    const handled = deliveries.filter(({ sent }) => this.world.handles(sent.name));
    const isLog = (rows: Parameters<typeof isEventLog>[0]) => isEventLog(rows, versions, handled);
    const [neither, one, other, known] = await allEnded([
      this.stateWithout(deliveries, (each) => each === first || each === second),
      this.stateWithout(deliveries, (each) => each === second),
      this.stateWithout(deliveries, (each) => each === first),
      this.#controlFor(experiment),
    ]);
    if (neither === undefined || one === undefined || other === undefined) return undefined;
    const isTwice = (both: Observed) =>
      countedTwice({ neither, one, other, both }, isLog, this.mask).length > 0;
    if (!isTwice(known)) return undefined;
    const outcome = await this.run(experiment);
    if (outcome.state === undefined || !isTwice(outcome.state)) return undefined;
    return { ...outcome, differences: differencesOf(one, outcome.state, this.mask) };
  }

  /** Returns the state after the other records, without a fault. */
  stateWithout(
    deliveries: readonly Delivery[],
    isLeftOut: (delivery: Delivery) => boolean,
  ): Promise<Observed | undefined> {
    return this.#stateAfter({ deliveries: deliveries.filter((each) => !isLeftOut(each)) });
  }

  /** Returns the differences of a household's rows from those in another state. Default: the baseline. */
  differencesIn(
    state: Observed,
    cell: number | typeof shared,
    { from = this.baseline, mask = this.mask } = {},
  ): TableDifference[] {
    const { ownerOf } = this.world;
    return differencesOf(rowsOf(from, cell, ownerOf), rowsOf(state, cell, ownerOf), mask);
  }

  /** Returns what is not compared: with damaged records also the tables that are empty without, e.g. of dead letters. */
  maskOf({ isDamage = false }: Experiment): NoiseMask {
    if (!isDamage) return this.mask;
    const empty = Object.keys(this.baseline).filter((table) => this.baseline[table]?.length === 0);
    return { ...this.mask, tables: [...this.mask.tables, ...empty] };
  }

  /** Explains a wrong state by runs in which one event came twice, not at all, or late. */
  async explain(experiment: Experiment, wrong: Wrong): Promise<Explanation> {
    if (wrong.state === undefined) return { diagnosis: 'diverged' };
    if (experiment.isDamage === true && wrong.differences.every(({ missing }) => missing.length === 0))
      return { diagnosis: 'hides-damage' };
    const { fault, ...calm } = experiment;
    if (fault?.restart === true)
      return { diagnosis: (await this.wrongWith(calm)) ? 'not-idempotent' : 'forgets-at-restart' };
    // A process that leaves with no record in hand loses none, and repeats none.
    const idle = { ...experiment, fault: { member: 'leaves idle' as const } };
    if (fault?.member !== undefined && (await this.wrongWith(idle)) !== undefined)
      return { diagnosis: isLess(wrong.differences) ? 'outdated-memory' : 'forgets-at-restart' };
    const { handles, ownerOf } = this.world;
    const rows = wrong.differences.flatMap(({ missing, extra }) => [...missing, ...extra]);
    const owners = [...new Set(rows.map(ownerOf))].filter((each) => each !== shared);
    const control = controlOf(experiment);
    const cases = owners.map((owner) => {
      const state = rowsOf(wrong.state ?? {}, owner, ownerOf);
      const differences = this.differencesIn(state, owner);
      return { state, differences, control: control.filter(({ sent }) => sent.cell === owner) };
    });
    // The household with the smallest difference needs the simplest explanation.
    cases.sort((one, other) => sizeOf(one.differences) - sizeOf(other.differences));
    const whole = { state: wrong.state, differences: wrong.differences, control };
    let doubtful: Explanation | undefined;
    for (const each of cases.length > 0 ? cases.slice(0, maxSuspects) : [whole]) {
      const found = await this.#explainCase(experiment, wrong, each);
      const isDoubtful = each.control.some(
        ({ sent }) =>
          sent.name === found?.counterfactual?.event &&
          wrong.redelivered.has(sent.id) !== found.counterfactual.isRedelivered,
      );
      if (found !== undefined && !isDoubtful) return found;
      doubtful ??= found;
    }
    if (doubtful !== undefined) return doubtful;
    // A crash between the effect and its mark repeats it, though a repeated event is recognised.
    const isAgain = control.some(({ sent }) => handles(sent.name) && wrong.redelivered.has(sent.id));
    return { diagnosis: isAgain && isMore(wrong.differences) ? 'not-idempotent' : 'diverged' };
  }

  async #explainCase(
    { about }: Experiment,
    wrong: Wrong,
    { state, differences, control }: Case,
  ): Promise<Explanation | undefined> {
    const rows = differences.flatMap(({ missing, extra }) => [...missing, ...extra]);
    const weight = ({ sent }: Delivery) =>
      (sent.name === about ? 100 : 0) +
      sharedValues(rows, sent.bytes) +
      // Of events with the same effect, a crash rather harms one that comes again.
      (wrong.redelivered.has(sent.id) ? 0.5 : 0);
    const suspects = control
      .filter(({ sent }) => this.world.handles(sent.name))
      .sort((one, other) => weight(other) - weight(one));
    for (const suspect of suspects.slice(0, maxSuspects)) {
      for (const change of isLess(differences) ? lossesFirst : changes) {
        const changed = await this.#stateIf(change, suspect, control);
        if (changed === undefined || differencesOf(changed, state, this.mask).length > 0) continue;
        const { id, name: event } = suspect.sent;
        const counterfactual = { change, event, isRedelivered: wrong.redelivered.has(id) };
        return { diagnosis: meaningOf(counterfactual), counterfactual };
      }
    }
    return undefined;
  }

  /** Returns the state after the records with one of them changed, without the fault. */
  async #stateIf(
    change: Change,
    suspect: Delivery,
    control: readonly Delivery[],
  ): Promise<Observed | undefined> {
    const at = control.indexOf(suspect);
    if (change === 'late' && at === control.length - 1) return undefined;
    const again = marked(suspect, 'duplicate');
    const changed: Readonly<Record<Change, Played>> = {
      twice: { deliveries: control.toSpliced(at + 1, 0, again) },
      'twice, with a restart between': {
        deliveries: [...control, marked(again, later)],
        fault: { restart: true },
      },
      // Each version of the occurrence would take the effect of the others.
      'left out': { deliveries: control.filter((each) => occurrenceOf(each) !== occurrenceOf(suspect)) },
      late: { deliveries: [...control.toSpliced(at, 1), suspect] },
    };
    return this.#stateAfter(changed[change]);
  }

  /** Returns the state after the same records without the fault. */
  async #controlFor(experiment: Experiment): Promise<Observed> {
    const deliveries = controlOf(experiment);
    const { households, ownerOf } = this.world;
    const cells = [...new Set(deliveries.map(({ sent }) => sent.cell))];
    const whole = cells.reduce((sum, cell) => sum + (households.get(cell)?.length ?? 0), 0);
    if (whole === deliveries.length && !this.hasShared) {
      const owned = cells.map((cell) => rowsOf(this.baseline, cell, ownerOf));
      const tables = Object.keys(this.baseline);
      return Object.fromEntries(tables.map((table) => [table, owned.flatMap((rows) => rows[table] ?? [])]));
    }
    return (await this.#stateAfter({ deliveries })) ?? {};
  }

  /** Returns the state after these records, from the first run with the same ones. */
  async #stateAfter(played: Played): Promise<Observed | undefined> {
    const content = [played.fault, played.deliveries.map(({ sent }) => [sent.id, sent.bytes.toString()])];
    const key = createHash('sha256').update(JSON.stringify(content)).digest('hex');
    const known = this.#controls.get(key) ?? this.run({ label: 'control', about: '', ...played }, true);
    this.#controls.set(key, known);
    return (await known).state;
  }
}

const maxSuspects = 4;
/** Least time without a change before a state is compared: a service may work after its last commit. */
const finalMs = 400;
const changes: readonly Change[] = ['twice', 'twice, with a restart between', 'late', 'left out'];
const lossesFirst: readonly Change[] = ['left out', 'late', 'twice', 'twice, with a restart between'];

/** Returns how much differs: rows, and numbers in them. */
function sizeOf(differences: readonly TableDifference[]): number {
  return differences.reduce(
    (size, { expected, actual, missing, extra }) =>
      size +
      Math.abs(expected - actual) +
      Math.max(missing.length, extra.length) +
      Math.abs(sumOf(extra) - sumOf(missing)),
    0,
  );
}

/** Whether rows are missing, or numbers in them are lower. */
function isLess(differences: readonly TableDifference[]): boolean {
  return differences.some(
    ({ expected, actual, missing, extra }) => actual < expected || sumOf(extra) < sumOf(missing),
  );
}

/** Whether each table has more rows, or higher numbers in them. */
function isMore(differences: readonly TableDifference[]): boolean {
  return differences.every(
    ({ expected, actual, missing, extra }) => actual > expected || sumOf(extra) > sumOf(missing),
  );
}

function sumOf(rows: readonly Row[]): number {
  const numbers = rows.flatMap((row) => Object.values(row)).filter((value) => typeof value === 'number');
  return numbers.reduce((sum, each) => sum + each, 0);
}

/**
 * Runs something on a copy, and returns the state when it is quiet, or why it does not become quiet.
 * @param work Resolves to false if the service did not meet the fault.
 */
export async function outcomeOf(
  copy: Copy,
  work: () => Promise<unknown>,
  isTeaching = false,
): Promise<Outcome> {
  const rest = () => ({ exits: copy.exits, redelivered: copy.redelivered, inHand: copy.inHand });
  let isMet = true;
  try {
    isMet = (await work()) !== false;
    return { ...rest(), isMet, state: await quiet(copy, finalMs, isTeaching) };
  } catch (error) {
    if (!(error instanceof Restless)) throw error;
    const stuckAt = error.kind === 'stalled' ? stuckRecord(copy) : undefined;
    return { ...rest(), isMet, restless: error, ...(stuckAt && { stuckAt }) };
  }
}

/** Returns the record at the committed offset of the first partition that is behind. */
function stuckRecord(copy: Copy): Delivery | undefined {
  const [behind] = copy.lag();
  return behind && copy.deliveryAt({ ...behind, offset: behind.committed ?? behind.start });
}

/** Returns how many values of rows occur in a record. */
function sharedValues(rows: readonly Row[], bytes: Buffer): number {
  const values = rows.flatMap((row) => Object.values(row)).map(String);
  return values.filter((value) => value.length > 3 && bytes.includes(value)).length;
}

import { grouped, Newest, once } from 'busbar/base';
import type { ReportedOutcome } from 'busbar/operations';
import type { FetchedRecord } from 'busbar/internal/kafka-protocol';
import type { GroupDescription, RecordPosition } from '../broker/index.js';
import type { BrokerSink } from '../sinks/broker.js';

/** The treatment of an event by one consumer. */
export interface ConsumerOutcome {
  readonly consumer: string;
  /** Attempts and results in order; empty for a consumer that does not report. */
  readonly reported: readonly ReportedOutcome[];
  /** Wall time at which a group fetched the event; undefined if it is not known. */
  readonly fetchedAt: number | undefined;
  /** Whether another group has the same client id: fetches name only the client, so their group is not known. */
  readonly sharesClientId: boolean;
  /** Whether a group has committed the event, and the wall time of its last commit; undefined for the stream. */
  readonly commit: { readonly isDone: boolean; readonly at: number } | undefined;
}

/** Most events with reports; the oldest are dropped. Most reports of an event and consumer. */
const maxEvents = 20_000;
const maxReports = 50;
/** Largest instant of a date, in milliseconds. */
const maxInstant = 8.64e15;

/** The outcomes of recent events: those that consumers report, and the fetched and committed offsets of groups. */
export class Outcomes {
  readonly #reports = new Newest<string, Map<string, ReportedOutcome[]>>(maxEvents);
  readonly #sink: BrokerSink | undefined;
  readonly #runOf: () => unknown;
  /** The run that the reported events belong to. */
  #run: unknown;
  readonly #offsets;

  /**
   * @param decodedId Returns the id of an event whose headers do not name it.
   * @param runOf Returns another value after a reset.
   */
  constructor(
    sink: BrokerSink | undefined,
    decodedId: (record: FetchedRecord) => string | undefined,
    runOf: () => unknown,
  ) {
    this.#sink = sink;
    this.#runOf = runOf;
    // Loads code that an emulator without consumer groups need not.
    this.#offsets = once(async () => {
      const { EventOffsets } = await import('./event-offsets.js');
      return sink && new EventOffsets(sink, decodedId);
    });
  }

  /** Adds a report of `reportOutcomes()`. Ignores any other value. */
  add(report: unknown): void {
    const { consumer, outcomes } = (report ?? {}) as { consumer?: unknown; outcomes?: unknown };
    if (typeof consumer !== 'string' || !Array.isArray(outcomes)) return;
    this.#dropEarlierRun();
    for (const outcome of outcomes as (ReportedOutcome | null)[]) {
      if (typeof outcome?.event !== 'string' || !(Math.abs(outcome.at) < maxInstant)) continue;
      const ofEvent = this.#reports.get(outcome.event) ?? new Map<string, ReportedOutcome[]>();
      const reported = ofEvent.get(consumer) ?? [];
      if (reported.length < maxReports) reported.push(outcome);
      this.#reports.set(outcome.event, ofEvent.set(consumer, reported));
    }
  }

  /** Returns the outcomes of events, by their ids. */
  async of(ids: readonly string[]): Promise<Record<string, ConsumerOutcome[]>> {
    this.#dropEarlierRun();
    const { groups = [] } = this.#sink?.broker.inspect() ?? {};
    const offsets = groups.length > 0 ? await (await this.#offsets())?.all() : undefined;
    const sharing = groupsThatShareClientIds(groups);
    return Object.fromEntries(ids.map((id) => [id, this.#ofEvent(id, offsets?.get(id), groups, sharing)]));
  }

  /** The same seed gives the same ids again. */
  #dropEarlierRun(): void {
    const run = this.#runOf();
    if (run !== this.#run) this.#reports.dropWhile(() => true);
    this.#run = run;
  }

  #ofEvent(
    id: string,
    at: RecordPosition | undefined,
    groups: readonly GroupDescription[],
    sharing: ReadonlySet<string>,
  ): ConsumerOutcome[] {
    const reports = this.#reports.get(id) ?? new Map<string, ReportedOutcome[]>();
    const byGroup = new Map(groups.map((group) => [group.id, this.#ofGroup(group, at)]));
    return [...new Set([...byGroup.keys(), ...reports.keys()])].flatMap((consumer) => {
      const reported = reports.get(consumer) ?? [];
      const { fetchedAt, commit } = byGroup.get(consumer) ?? {};
      const isKnown = reported.length > 0 || fetchedAt !== undefined || commit !== undefined;
      return isKnown
        ? [{ consumer, reported, fetchedAt, sharesClientId: sharing.has(consumer), commit }]
        : [];
    });
  }

  #ofGroup(
    { id, offsets }: GroupDescription,
    at: RecordPosition | undefined,
  ): Pick<ConsumerOutcome, 'fetchedAt' | 'commit'> {
    if (at === undefined) return { fetchedAt: undefined, commit: undefined };
    const known = offsets.find(({ topic, partition }) => topic === at.topic && partition === at.partition);
    return {
      fetchedAt: this.#sink?.broker.fetchedAt(id, at),
      commit: known && { isDone: known.committed > at.offset, at: known.at },
    };
  }
}

/** Returns the ids of the groups that have a client id of another group. */
function groupsThatShareClientIds(groups: readonly GroupDescription[]): ReadonlySet<string> {
  const all = groups.flatMap(({ id, members }) => members.map(({ clientId }) => ({ id, clientId })));
  const byClient = [...grouped(all, ({ clientId }) => clientId).values()];
  const shared = byClient.filter((members) => members.some(({ id }) => id !== members[0]?.id));
  return new Set(shared.flat().map(({ id }) => id));
}

import type { ReportedOutcome } from 'busbar/operations';
import type { BrokerSink } from '../sinks/broker.js';
import { eventTopic } from '../run/sink.js';

/** The treatment of an event by one consumer. */
export interface ConsumerOutcome {
  readonly consumer: string;
  /** Attempts and results in order; empty for a consumer that does not report. */
  readonly reported: readonly ReportedOutcome[];
  /** Whether a group has committed the event, and the wall time of its last commit; undefined for the stream. */
  readonly commit: { readonly isDone: boolean; readonly at: number } | undefined;
}

/** Most events with reports; the oldest are dropped. Most reports of an event and consumer. */
const maxEvents = 20_000;
const maxReports = 50;
/** Largest instant of a date, in milliseconds. */
const maxInstant = 8.64e15;

/** The outcomes of recent events: those that consumers report, and the committed offsets of groups. */
export class Outcomes {
  readonly #reports = new Map<string, Map<string, ReportedOutcome[]>>();

  /** Adds a report of `reportOutcomes()`. Ignores any other value. */
  add(report: unknown): void {
    const { consumer, outcomes } = (report ?? {}) as { consumer?: unknown; outcomes?: unknown };
    if (typeof consumer !== 'string' || !Array.isArray(outcomes)) return;
    for (const outcome of outcomes as (ReportedOutcome | null)[]) {
      if (typeof outcome?.event !== 'string' || !(Math.abs(outcome.at) < maxInstant)) continue;
      const ofEvent = this.#reports.get(outcome.event) ?? new Map<string, ReportedOutcome[]>();
      const reported = ofEvent.get(consumer) ?? [];
      if (reported.length < maxReports) reported.push(outcome);
      this.#reports.set(outcome.event, ofEvent.set(consumer, reported));
    }
    for (const id of this.#reports.keys()) {
      if (this.#reports.size <= maxEvents) break;
      this.#reports.delete(id);
    }
  }

  /** Returns the outcomes of events, by their ids. */
  of(ids: readonly string[], sink: BrokerSink | undefined): Record<string, ConsumerOutcome[]> {
    const groups = sink?.broker.inspect().groups ?? [];
    return Object.fromEntries(
      ids.map((id) => {
        const reports = this.#reports.get(id) ?? new Map<string, ReportedOutcome[]>();
        const place = sink?.placeOf(id);
        const commits = groups.flatMap(({ id: group, offsets }) => {
          const known = offsets.find(
            ({ topic, partition }) => topic === eventTopic && partition === place?.partition,
          );
          if (place === undefined || known === undefined) return [];
          return [[group, { isDone: known.committed > place.offset, at: known.at }] as const];
        });
        const byGroup = new Map(commits);
        const names = new Set([...byGroup.keys(), ...reports.keys()]);
        const outcomes = Array.from(names, (consumer) => {
          return { consumer, reported: reports.get(consumer) ?? [], commit: byGroup.get(consumer) };
        });
        return [id, outcomes];
      }),
    );
  }
}

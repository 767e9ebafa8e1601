import { setImmediate } from 'node:timers/promises';
import { day, hour, type Instant } from '../engine/time.js';
import type { Input } from '../run/inputs.js';
import type { Plan } from '../run/plan.js';

/** The inputs and the known future of a run. */
export interface RunTimeline {
  /** Undefined for a recording without a plan. */
  readonly start?: Instant;
  /** The newest inputs. */
  readonly inputs: readonly { readonly at: Instant; readonly label: string }[];
  /** Number of planned events of each hour after now that has some; empty if the plan is too long to look ahead. */
  readonly ahead: readonly { readonly at: Instant; readonly events: number }[];
}

const maxInputs = 200;
const lookahead = 30 * day;
/** Maximum number of occurrences to play for the future, which begins after the past. */
const maxPlayed = 20_000;
/** Number of occurrences to play at once: the server must stay responsive. */
const slice = 200;

/** Returns a function that returns the timeline of a run; it plays the plan once for each day and each input. */
export function runTimelines() {
  let latest:
    | { readonly plan: Plan; readonly key: string; readonly ahead: ReturnType<typeof eventsAhead> }
    | undefined;
  /** A plan that is too long stays too long. */
  let tooLong: Plan | undefined;
  return async (plan: Plan | undefined, now: Instant): Promise<RunTimeline> => {
    if (plan === undefined) return { inputs: [], ahead: [] };
    const { log } = plan.inputs;
    const today = Math.floor(now / day) * day;
    const key = `${today} ${log.length}`;
    if (plan !== tooLong && (latest?.plan !== plan || latest.key !== key)) {
      latest = { plan, key, ahead: eventsAhead(plan, today, today + lookahead) };
    }
    const ahead = await latest?.ahead;
    if (ahead === undefined) tooLong = plan;
    const inputs = log.slice(-maxInputs).map((input) => ({ at: input.at, label: labelOf(input) }));
    return { start: plan.start, inputs, ahead: ahead ?? [] };
  };
}

/** Returns undefined for a plan that is too long. */
async function eventsAhead(
  plan: Plan,
  from: Instant,
  until: Instant,
): Promise<RunTimeline['ahead'] | undefined> {
  const hours = new Map<Instant, number>();
  let played = 0;
  for (const { at, occurrence } of plan.occurrences(until)) {
    if (++played > maxPlayed) return undefined;
    if (played % slice === 0) await setImmediate();
    const begin = Math.floor(at / hour) * hour;
    if (at >= from) hours.set(begin, (hours.get(begin) ?? 0) + occurrence.versions.length);
  }
  return [...hours].map(([at, events]) => ({ at, events }));
}

function labelOf(input: Input): string {
  switch (input.kind) {
    case 'start':
      return `Scenario ${input.scenario} started`;
    case 'event':
      return `Event ${input.type} ${input.version} injected`;
    case 'faults':
      return input.faults === null ? 'Faults cleared' : 'Faults set';
    case 'import-supplier':
      return 'Import supplier set';
  }
}

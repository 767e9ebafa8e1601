import { isMainThread } from 'node:worker_threads';
import { quoted } from 'busbar/base';
import type { Problem } from '../verify/causes.js';
import type { PlayedEvents } from '../verify/event-sequence.js';
import { sameInstants } from '../verify/same-instants.js';
import type { Subject } from '../verify/subject.js';
import { type Check, trying } from './check.js';
import { marked, perEvent } from '../service/experiment.js';
import { differenceFromBaseline, type Fault } from '../verify/judge.js';

/** The furthest east and west: a local day differs from the day in UTC for one of them. */
const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const;

const inProcess = trying(async function* (subject) {
  for (const { name, plan, deliveries } of await subject.stories()) {
    const candidates = zones.map((zone) => ({
      plan,
      deliveries: deliveries.map((each) => marked(each, markOf(zone))),
    }));
    yield { subject: name, candidates };
  }
}, wrong);

/** Runs the consumer in other time zones: a state that differs depends on the machine. */
export const timeZoneCheck: Check = {
  name: 'time-zone',
  title: 'the time zone of the machine changes nothing',
  comparesStates: true,
  ...inProcess,
  async *run(subject) {
    const notRun = whyNot(process.env) ?? (isMainThread ? undefined : inWorker);
    if (notRun === undefined) yield* inProcess.run(subject);
    else yield { subject: 'consumer', notRun };
  },
  overTheWire: {
    whyNot: ({ start }) => whyNot({ ...process.env, ...start.env }),
    parts: (input) =>
      zones.map((timeZone) => ({
        sharing: 'together',
        diagnosis: 'reads-local-time',
        ifStalled: 'reads-local-time',
        experiments: perEvent(input, [timeZone], ({ deliveries }) => ({
          label: markOf(timeZone),
          deliveries,
          fault: { timeZone },
        })),
      })),
  },
};

const inWorker =
  'A worker thread cannot change its time zone. Run the tests in processes: pool "forks" in Vitest.';

function markOf(zone: string): string {
  return `in the time zone ${quoted(zone)}`;
}

/** With `TZ`, the consumer has one time zone on all machines. */
function whyNot({ TZ }: NodeJS.ProcessEnv): string | undefined {
  return TZ === undefined ? undefined : `"TZ" sets the time zone ${quoted(TZ)}.`;
}

async function wrong(subject: Subject, counterexample: PlayedEvents): Promise<Problem | undefined> {
  const marks = new Set(counterexample.deliveries.flatMap(({ faults }) => faults));
  const zone = zones.find((each) => marks.has(markOf(each)));
  if (zone === undefined) return undefined;
  const done = await inTimeZone(zone, () => subject.exercise(counterexample));
  const when = `In the time zone ${quoted(zone)}`;
  const fault: Fault = { when, diagnosis: 'reads-local-time', alike: sameInstants };
  return differenceFromBaseline(subject, counterexample, fault, done);
}

async function inTimeZone<Result>(zone: string, work: () => Promise<Result>): Promise<Result> {
  const { TZ } = process.env;
  process.env['TZ'] = zone;
  try {
    return await work();
  } finally {
    if (TZ === undefined) delete process.env['TZ'];
    else process.env['TZ'] = TZ;
  }
}

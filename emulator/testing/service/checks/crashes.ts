import { type Experiment, marked, target, type WorkPoint } from '../experiment.js';
import { interleaved } from '../screen.js';
import { type CheckInput, perEvent, type ServiceCheck } from './check.js';

const commits = ['before its commit', 'after its commit'] as const;
/** Kills per point of a commit. */
const killsAtCommit = 8;
const killsAtWork = { SIGKILL: 8, SIGTERM: 3 } as const;
/** Most commits that pass before the next kill with records in hand. */
const maxSkipped = 4;

/** Requires a service to reach the same state when its process is killed or stopped at any point. */
export const crashesCheck: ServiceCheck = {
  name: 'crashes',
  parts: (input) => [
    {
      sharing: 'waves',
      experiments: perEvent(
        input,
        Array.from({ length: Math.ceil(killsAtCommit / input.world.exercised.length) }, () => commits).flat(),
        ({ deliveries, index, delivery }, kill) => ({
          label: `killed ${kill}`,
          deliveries: deliveries.with(index, marked(delivery, target)),
          fault: { kill },
        }),
      ),
    },
    {
      sharing: 'alone',
      experiments: [atWork(input, 'SIGKILL'), atWork(input, 'SIGTERM'), withRecordsInHand(input)],
    },
  ],
};

/** All households at once, and signals spread over the time that they take. */
function atWork(input: CheckInput, signal: 'SIGKILL' | 'SIGTERM'): Experiment {
  const { world, random, totalMs, commitMs } = input;
  const length = killsAtWork[signal];
  const at = Array.from({ length }, (_, nth): WorkPoint => {
    // A step of the work that takes an eighth of it is met once.
    const share = (nth + random.next()) / length;
    if (commitMs === undefined) return { afterMs: (share * totalMs) / length };
    return { commit: random.integer(1, maxSkipped), afterMs: share * commitMs };
  });
  // Records that the service skips would take most of the time.
  const deliveries = world.deliveries.filter(({ sent }) => world.handles(sent.name));
  return { label: `${signal} at work`, about: `${signal} at work`, deliveries, fault: { signal, at } };
}

/** A service may commit by a timer, while it has a batch of records in hand. */
function withRecordsInHand(input: CheckInput): Experiment {
  const label = 'SIGKILL after a commit with records left';
  const skips = Array.from({ length: killsAtCommit / 2 }, () => input.random.integer(0, maxSkipped));
  return {
    label,
    about: label,
    deliveries: interleaved(input.world.deliveries),
    fault: { killAfterCommits: skips },
  };
}

import { listOf, nonEmptyText, number, type OptionTable, readOptions } from '../../src/base/options.js';
import type { Clock } from '../../src/base/clock.js';
import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';
import type { RunningBroker } from '../broker/index.js';
import type { Run } from '../run/run.js';
import { eventTopic } from './broker.js';
import { behindOf, whyBehind } from './why-behind.js';

/** Which consumer group is waited for, on what, and for how long. */
export interface ConsumedOptions {
  readonly groupId: string;
  /** Default `['platform.events']`. */
  readonly topics?: readonly string[];
  /** In milliseconds of the emulator's clock. Default 4,000, so that test runners, which wait for 5 s, show the reason. */
  readonly timeout?: number;
}

const consumedOptions = {
  groupId: { type: nonEmptyText, isRequired: true },
  topics: { type: listOf(nonEmptyText, { notEmpty: true }), default: [eventTopic] },
  timeout: { type: number({ from: 0, to: 2 ** 31 - 1 }), default: 4_000, unit: 'milliseconds' },
} satisfies OptionTable<ConsumedOptions>;

export interface ConsumedParts {
  readonly broker: RunningBroker;
  readonly run: Pick<Run, 'settled' | 'state'>;
  readonly clock: Clock;
  /** Aborted when the emulator stops. */
  readonly stopping: AbortSignal;
}

/**
 * Resolves when the run has nothing left to send and the group has committed up to the end of every partition.
 * @throws BusbarError `not-consumed` with who is behind where, `unknown-topic`, `invalid-option`, `run-over`, and what
 * the run has failed with
 */
export async function consumed(options: ConsumedOptions, parts: ConsumedParts): Promise<void> {
  const { groupId, topics, timeout } = readOptions('consumed()', consumedOptions, options);
  const { broker, run, clock, stopping } = parts;
  checkTopics(topics, broker);
  if (stopping.aborted) throw stopped();
  const ended: (() => void)[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      let isSent = false;
      const look = (): void => {
        if (isSent && behindOf(broker.inspect(), groupId, topics).length === 0) resolve();
      };
      const giveUp = (): void => {
        const why = isSent ? whyBehind(broker.inspect(), groupId, topics) : whyUnsent(run);
        const message = `Consumer group ${quoted(groupId)} has not committed everything after ${timeout} ms. ${why}`;
        reject(new BusbarError('not-consumed', message));
      };
      const stop = (): void => reject(stopped());
      stopping.addEventListener('abort', stop);
      ended.push(
        () => stopping.removeEventListener('abort', stop),
        broker.onCommit((id) => id === groupId && look()),
        clock.schedule(timeout, giveUp),
      );
      run.settled().then(() => {
        isSent = true;
        look();
      }, reject);
    });
  } finally {
    for (const end of ended) end();
  }
}

function checkTopics(topics: readonly string[], broker: RunningBroker): void {
  const known = broker.inspect().topics.map(({ name }) => name);
  const missing = topics.find((topic) => !known.includes(topic));
  if (missing === undefined) return;
  const message = `consumed(): the broker has no topic ${quoted(missing)}. There are: ${known.join(', ')}.`;
  throw new BusbarError('unknown-topic', message);
}

function whyUnsent({ state }: Pick<Run, 'state'>): string {
  const hint = {
    waiting: 'waits for the consumer that "waitForConsumer" names',
    paused: 'is paused: resume or step it',
  }[state as string];
  return `The run ${hint ?? 'still sends: play it with "speed: \'instant\'", or wait for longer'}.`;
}

function stopped(): BusbarError {
  return new BusbarError('run-over', 'The emulator was stopped: nobody can consume from it any more.');
}

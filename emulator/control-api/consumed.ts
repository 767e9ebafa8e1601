import {
  BusbarError,
  type Clock,
  listOf,
  nonEmptyText,
  number,
  type OptionTable,
  quoted,
  readOptions,
} from 'busbar/base';
import type { EmbeddedBroker } from '../broker/start.js';
import type { Run } from '../run/run.js';
import { eventTopic } from '../run/sink.js';
import { lagOf, explainLag } from '../broker/consumer-lag.js';

/** Options of `consumed()`: the consumer group, its topics and a timeout. */
export interface ConsumedOptions {
  readonly groupId: string;
  /** The topics to consume. Default `['platform.events']`. */
  readonly topics?: readonly string[];
  /** Milliseconds of the emulator's clock. Default 4,000, below the 5 s of test runners, so that they show the error. */
  readonly timeout?: number;
}

const consumedOptions = {
  groupId: { type: nonEmptyText, isRequired: true },
  topics: { type: listOf(nonEmptyText, { notEmpty: true }), default: [eventTopic] },
  timeout: { type: number({ from: 0, to: 2 ** 31 - 1 }), default: 4_000, unit: 'milliseconds' },
} satisfies OptionTable<ConsumedOptions>;

interface ConsumedParts {
  readonly broker: Pick<EmbeddedBroker, 'inspect' | 'onCommit'>;
  readonly run: Pick<Run, 'idle' | 'state'>;
  readonly clock: Clock;
  /** Aborts when the emulator stops. */
  readonly stopping: AbortSignal;
}

/**
 * Resolves when the run is idle and the group has committed up to the end of every partition.
 * @throws BusbarError `not-consumed` with the lag and its cause, `unknown-topic`, `invalid-option`, `run-over`, and the
 * error of a failed run
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
      const check = (): void => {
        if (isSent && lagOf(broker.inspect(), groupId, topics).length === 0) resolve();
      };
      const giveUp = (): void => {
        const why = isSent ? explainLag(broker.inspect(), groupId, topics) : explainRun(run);
        const message = `Consumer group ${quoted(groupId)} has not committed everything after ${timeout} ms. ${why}`;
        reject(new BusbarError('not-consumed', message));
      };
      const stop = (): void => reject(stopped());
      stopping.addEventListener('abort', stop);
      ended.push(
        () => stopping.removeEventListener('abort', stop),
        broker.onCommit((id) => id === groupId && check()),
        clock.schedule(timeout, giveUp),
      );
      run.idle().then(() => {
        isSent = true;
        check();
      }, reject);
    });
  } finally {
    for (const end of ended) end();
  }
}

function checkTopics(topics: readonly string[], broker: Pick<EmbeddedBroker, 'inspect' | 'onCommit'>): void {
  const known = broker.inspect().topics.map(({ name }) => name);
  const missing = topics.find((topic) => !known.includes(topic));
  if (missing === undefined) return;
  const message = `consumed(): the broker has no topic ${quoted(missing)}. Its topics: ${known.join(', ')}.`;
  throw new BusbarError('unknown-topic', message);
}

function explainRun({ state }: Pick<Run, 'state'>): string {
  const hint = {
    waiting: 'waits for the consumer in "waitForConsumer"',
    paused: 'is paused. Resume or step it',
  }[state as string];
  return `The run ${hint ?? 'still sends. Use "speed: \'instant\'", or a longer timeout'}.`;
}

function stopped(): BusbarError {
  return new BusbarError('run-over', 'The emulator was stopped. Await consumed() before you stop it.');
}

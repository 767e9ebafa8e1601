import {
  type Consumer,
  type ConsumerOptions,
  createConsumer,
  type HandlerContext,
  openCatalogue,
  type Receiver,
  type RunningConsumer,
  type RunOptions,
  type Subscription,
  type Transport,
} from 'busbar';
import { type VirtualClock } from 'busbar/base';
import { type MemoryOptions, memory } from 'busbar/internal/memory';
import { onTestFinished } from 'vitest';
import { logLines } from './log-lines.js';
import { accountCreated, envelope, headersOf, type SentEvent } from './records.js';

export const catalogue = openCatalogue();

/** `account.created` with that account number, under that key. */
export function account(number: string, key = 'key-a') {
  const event = { ...accountCreated, payload: { account_number: number, account_user_emails: [] } };
  return message(event, key);
}

export function message(event: SentEvent, key = 'key-a') {
  return { key, value: envelope(event), headers: headersOf(event) };
}

/** An event that a test may give another handler to. */
export const accountUpdated = message({
  type: 'account.updated',
  version: 'v1',
  payload: { account_number: 'A-1', account_user_emails: [], changes: {} },
});

export const accounts = (count: number) => Array.from({ length: count }, (_, n) => account(String(n)));

export type AccountHandler = (number: string, context: HandlerContext) => void | Promise<void>;

/** Creates a consumer of `account.created`, by default without retries, and its transport. */
export function setUp(
  handler: AccountHandler,
  { records, partitions, capacity, deadLetters, clock, ...options }: MemoryOptions & ConsumerOptions = {},
) {
  const log = logLines();
  const transport = memory({ records, partitions, capacity, deadLetters, clock } as MemoryOptions);
  const consumer = createConsumer({ catalogue, logger: log, retry: { attempts: 1 }, ...options });
  consumer.on('account.created', 'v1', (event, context) => handler(event.payload.account_number, context));
  const run = async (runOptions?: RunOptions) => {
    const running = await consumer.run(transport, runOptions);
    onTestFinished(() => running.stop());
    return running;
  };
  return { transport, consumer, run, log };
}

/** A promise that is settled from outside. */
export function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** A transport that is what the test says. */
export function scripted(open: (receiver: Receiver) => Subscription, deadLetters = false): Transport {
  return {
    name: 'scripted',
    capabilities: { commit: true, redelivery: true, keys: true, deadLetters },
    open: (receiver) => Promise.resolve(open(receiver)),
  };
}

/**
 * Runs the consumer on a transport of which the test plays the part: records go to `receiver`, and the subscription does
 * nothing beyond what is given.
 */
export async function received(
  consumer: Consumer,
  subscription: Partial<Subscription> = {},
  options?: RunOptions,
): Promise<{ running: RunningConsumer; receiver: Receiver }> {
  let receiver!: Receiver;
  const transport = scripted((given) => {
    receiver = given;
    const nothing = () => undefined;
    return { commit: nothing, resume: nothing, stop: () => Promise.resolve(), ...subscription };
  }, subscription.deadLetter !== undefined);
  return { running: await consumer.run(transport, options), receiver };
}

/** Resolves when so many events were handled. */
export async function handledBy(running: { counts: { handled: number } }, count: number): Promise<void> {
  while (running.counts.handled < count) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets time pass until nothing waits for it any more, but only while no handler runs: what a test bench does. */
export async function playOut(running: RunningConsumer, clock: VirtualClock): Promise<void> {
  do await running.idle();
  while (clock.advanceToNext());
}

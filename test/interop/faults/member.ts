// A consumer in a process of its own, as its users load it. Its options are the first argument, in JSON; it tells over
// IPC which events it has handled.
import { createConsumer } from 'busbar';
import { kafka, kafkajsClient } from 'busbar/kafka';
import kafkajs from 'kafkajs';
import { openSync } from 'node:fs';
import { connect } from 'node:net';
import type { AnyEvent, HandlerContext } from '../../../src/event.js';
import { fateOf } from './events.js';
import { openInbox } from './inbox.js';
import { JournalWriter, type Left, now } from './journal.js';

export interface MemberOptions {
  readonly proxyPort: number;
  readonly brokers: readonly string[];
  readonly journal: string;
  readonly groupId: string;
  readonly rebalance: 'eager' | 'cooperative';
  readonly topic: string;
  readonly sessionTimeout: number;
  readonly deadline: number;
  /** A PostgreSQL database in which every effect is written together with its mark. */
  readonly inbox?: string;
}

const options = JSON.parse(process.argv[2] ?? '{}') as MemberOptions;
const journal = new JournalWriter(openSync(options.journal, 'a'));
const inbox = options.inbox === undefined ? undefined : await openInbox(options.inbox);

const warn = (text: string, fields: object = {}) => journal.warn(`${text} ${JSON.stringify(fields)}`);
const info = (text: string, fields: Partial<Left> = {}) => {
  const { partition, from, to } = fields;
  if (text !== 'settled records will be redelivered') return;
  journal.left({ partition: Number(partition), from: Number(from), to: Number(to) });
};
const ignore = () => undefined;
const consumer = createConsumer({
  policies: { invalidEvents: 'dead-letter' },
  logger: { debug: ignore, info, warn, error: ignore },
  retry: { attempts: 3, backoff: { initial: 20, max: 100 } },
  deadline: options.deadline,
});

const handled: number[] = [];
/** Attempts whose effects are in a transaction that was not committed yet. */
const writing = new WeakSet<HandlerContext>();
if (inbox !== undefined) {
  consumer.use(async (event, context, next) => {
    const begun = now();
    await next();
    if (writing.has(context)) tellHandled(event, begun);
  });
  consumer.use(inbox.middleware);
}
consumer.onAny((event, context) => {
  const begun = now();
  const { partition, offset } = event.record;
  const n = Number(event.id);
  const end = () => {
    if (inbox === undefined) {
      tellHandled(event, begun);
      return undefined;
    }
    writing.add(context);
    return inbox.write(context, n);
  };
  const fail = () => {
    journal.write({ kind: 'failed', begun, at: now(), partition, offset, n });
    throw new Error('as planned');
  };
  const isFirst = context.attempt === 1;
  switch (fateOf(n)) {
    case 'always fails':
      fail();
      break;
    case 'throws once':
      if (isFirst) fail();
      return end();
    case 'hangs once':
      if (isFirst) return aborted(context.signal).then(fail);
      return end();
    case 'ignores its abort once':
      if (isFirst) return after(1_500).then(fail);
      return end();
    case 'slow':
      return after(1 + (n % 10)).then(end);
    case 'awaits':
      return Promise.resolve().then(end);
    case 'quick':
    case 'is not an event':
      return end();
  }
  return undefined;
});

const client = new kafkajs.Kafka({
  brokers: [...options.brokers],
  clientId: 'busbar',
  logLevel: kafkajs.logLevel.NOTHING,
  connectionTimeout: 2_000,
  requestTimeout: 5_000,
  retry: { retries: 5, initialRetryTime: 100, maxRetryTime: 1_000 },
  // Through the proxy, not at the address that the broker advertises.
  socketFactory: ({ onConnect }) => connect(options.proxyPort, '127.0.0.1', onConnect),
});
const running = await join();
const committed = new Map<number, number>();
const telling = setInterval(() => {
  if (handled.length > 0) process.send?.({ handled: handled.splice(0) });
  for (const { partition, committed: offset } of running.health().source?.partitions ?? []) {
    if (offset <= (committed.get(partition) ?? -1)) continue;
    committed.set(partition, offset);
    journal.committed({ partition, offset });
  }
}, 25);
// The parent process is gone.
process.on('disconnect', () => process.exit());
process.on('message', () => {
  void running.stop();
});
try {
  await running.finished;
} catch (error) {
  process.send?.({ ended: String(error) });
}
clearInterval(telling);
await inbox?.close();
if (process.connected) process.disconnect();

function tellHandled({ id, record: { partition, offset } }: AnyEvent, begun: number): void {
  const n = Number(id);
  journal.write({ kind: 'handled', begun, at: now(), partition, offset, n });
  handled.push(n);
}

/** Until the way is open: a member may be started while it is cut. */
async function join() {
  for (;;) {
    try {
      return await consumer.run(
        kafka({
          client: kafkajsClient(client),
          groupId: options.groupId,
          rebalance: options.rebalance,
          topics: [options.topic],
          fromBeginning: true,
          sessionTimeout: options.sessionTimeout,
          heartbeatInterval: 300,
          rebalanceTimeout: 10_000,
          maxWait: 100,
          commitInterval: 200,
        }),
        { drainTimeout: 4_000 },
      );
    } catch (error) {
      journal.warn(`start: ${String(error)}`);
      await after(500);
    }
  }
}

function after(delay: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delay));
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });
}

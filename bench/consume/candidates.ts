import kafkajs from 'kafkajs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createConsumer, silentLogger } from 'busbar';
import { kafka } from 'busbar/kafka';

/** Consumes topic `events` from the beginning and calls `handled` for each record. Returns a function that stops it. */
export type Candidate = (to: Target, handled: () => void) => Promise<() => Promise<unknown>>;

export interface Target {
  readonly broker: string;
  readonly groupId: string;
  readonly concurrency: number;
  /** Folder with NestJS. */
  readonly peers: string | undefined;
}

const { Kafka, logLevel } = kafkajs;

async function raw({ broker, groupId }: Target) {
  const consumer = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING }).consumer({ groupId });
  await consumer.connect();
  await consumer.subscribe({ topic: 'events', fromBeginning: true });
  return consumer;
}

async function busbar({ broker, groupId, concurrency }: Target, handler: () => void | Promise<void>) {
  const consumer = createConsumer({ logger: silentLogger, concurrency });
  consumer.on('account.created', 'v1', handler);
  const running = await consumer.run(
    kafka({ brokers: [broker], groupId, topics: ['events'], fromBeginning: true }),
  );
  return () => running.stop();
}

export const candidates = {
  async eachMessage(to, handled) {
    const consumer = await raw(to);
    await consumer.run({
      partitionsConsumedConcurrently: to.concurrency,
      eachMessage: async ({ message }) => {
        JSON.parse(message.value!.toString());
        handled();
      },
    });
    return () => consumer.disconnect();
  },

  /** `eachMessage` that gives each message to Busbar. */
  async dispatch(to, handled) {
    const busbar = createConsumer({ logger: silentLogger });
    busbar.on('account.created', 'v1', () => handled());
    const consumer = await raw(to);
    await consumer.run({
      partitionsConsumedConcurrently: to.concurrency,
      eachMessage: async ({ topic, partition, message }) => {
        await busbar.dispatch({ topic, partition, message });
      },
    });
    return () => consumer.disconnect();
  },

  async eachBatch(to, handled) {
    const consumer = await raw(to);
    await consumer.run({
      partitionsConsumedConcurrently: to.concurrency,
      eachBatch: async ({ batch }) => {
        for (const { value } of batch.messages) {
          JSON.parse(value!.toString());
          handled();
        }
      },
    });
    return () => consumer.disconnect();
  },

  /** Busbar with everything it does for an event, validation included. */
  busbar: (to, handled) => busbar(to, () => handled()),

  /** Busbar with an async handler, as most are. */
  busbarAsync: (to, handled) =>
    busbar(to, async () => {
      await Promise.resolve();
      handled();
    }),

  /* eslint-disable @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return */
  /** `@EventPattern` of NestJS 11, in plain calls of its decorators. */
  async nest({ broker, groupId, peers }, handled) {
    const require = createRequire(join(peers ?? '.', 'package.json'));
    require('reflect-metadata');
    const { Controller, Module } = require('@nestjs/common') as Nest;
    const { EventPattern, Transport } = require('@nestjs/microservices') as Nest;
    const { NestFactory } = require('@nestjs/core') as Nest;
    class Events {
      handle(): void {
        handled();
      }
    }
    const descriptor = Object.getOwnPropertyDescriptor(Events.prototype, 'handle');
    EventPattern('events')(Events.prototype, 'handle', descriptor);
    Controller()(Events);
    // Not derived from the controller, whose metadata it would inherit.
    const App = function App() {
      // Only its metadata makes a class a module.
    };
    Module({ controllers: [Events] })(App);
    const app = await NestFactory.createMicroservice(App, {
      logger: false,
      // Otherwise NestJS ends the process silently.
      abortOnError: false,
      transport: Transport.KAFKA,
      options: {
        client: { brokers: [broker], logLevel: logLevel.NOTHING },
        consumer: { groupId },
        postfixId: '',
        subscribe: { fromBeginning: true },
      },
    });
    await app.listen();
    return () => app.close();
  },
} satisfies Record<string, Candidate>;

export type CandidateName = keyof typeof candidates;

/** An export of a package that is installed only for this benchmark. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Nest = Record<string, any>;

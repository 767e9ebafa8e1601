import type { BrokerError, RunningBroker } from '../broker/index.js';
import { BusbarError } from '../../src/base/errors.js';
import type { Logger } from '../../src/base/logger.js';
import { deadLetterTopicOf } from '../../src/transports/kafka/letters.js';
import type { Sink } from './sink.js';

/** Where events go on a broker, and where consumers put what they could not handle. */
export const eventTopic = 'platform.events';
export const deadLetterTopic = deadLetterTopicOf(eventTopic);
const partitions = 6;

export interface BrokerSinkOptions {
  /** 0 lets the system choose. */
  readonly port: number;
  readonly logger: Logger;
}

/** A sink that is a Kafka broker in this process. */
export interface BrokerSink extends Sink {
  /** What a Kafka client is configured with: `127.0.0.1:9092`. */
  readonly bootstrapServers: string;
  readonly broker: RunningBroker;
  /** Resolves when the members of the consumer group have their partitions and have begun to fetch. */
  waitForGroup(groupId: string): Promise<void>;
}

/**
 * Starts the embedded broker with the platform's topics; a run appends to its log directly.
 * @throws BusbarError `port-in-use`, `invalid-option`
 */
export async function brokerSink({ port, logger }: BrokerSinkOptions): Promise<BrokerSink> {
  // Here and not above: a run that goes elsewhere should not load a broker.
  const { startBroker } = await import('../broker/index.js');
  const topics = [eventTopic, deadLetterTopic].map((name) => ({ name, partitions }));
  const broker = await startBroker({ port, topics, logger }).catch((error: unknown) => {
    const { code } = error as BrokerError;
    if (code === 'ADDRESS_IN_USE') throw portInUse(port, error);
    throw code === 'CANNOT_LISTEN' ? noPort(port, error as BrokerError) : error;
  });

  return {
    name: 'broker',
    bootstrapServers: broker.bootstrapServers,
    broker,
    write(emissions) {
      broker.append(
        eventTopic,
        emissions.map(({ key, bytes, headers }) => ({ key, value: bytes, headers })),
      );
    },
    end: () => undefined,
    close: () => broker.stop(),
    waitForGroup: (groupId) => groupFetches(broker, groupId),
  };
}

const fetchApi = 1;

/** A group that has joined still has to find its positions; its first fetch shows that it has them. */
function groupFetches(broker: RunningBroker, groupId: string): Promise<void> {
  return new Promise((resolve) => {
    const fetching = new Set<string>();
    const remove = broker.intercept(fetchApi, ({ clientId }) => {
      const group = broker.inspect().groups.find(({ id }) => id === groupId);
      if (group?.state !== 'Stable') return undefined;
      fetching.add(clientId);
      if (group.members.every((member) => fetching.has(member.clientId))) {
        remove();
        resolve();
      }
      return undefined;
    });
  });
}

function portInUse(port: number, cause: unknown): BusbarError {
  const hint =
    'Stop it, take another one (--kafka-port 0 lets the system choose), or do without: --no-broker.';
  const message = `Another program, perhaps a Kafka broker, listens on port "${port}". ${hint}`;
  return new BusbarError('port-in-use', message, { cause });
}

function noPort(port: number, error: BrokerError): BusbarError {
  const { code = 'unknown error' } = error.cause as NodeJS.ErrnoException;
  const hint = 'Take another one: --kafka-port 0 lets the system choose.';
  const message = `The Kafka broker cannot listen on port "${port}" (${code}). ${hint}`;
  return new BusbarError('invalid-option', message, { cause: error });
}

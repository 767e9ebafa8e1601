import type { EmbeddedBroker, StartBrokerOptions } from '../broker/start.js';
import type { Logger } from 'busbar/base';
import { deadLetterTopicOf } from 'busbar/internal/dead-letter-topic';
import { eventTopic, type Sink } from '../run/sink.js';

/** The broker's topic for the dead letters of events. */
const deadLetterTopic = deadLetterTopicOf(eventTopic);
const partitions = 6;

interface BrokerSinkOptions extends Pick<StartBrokerOptions, 'host' | 'advertised'> {
  /** The port; 0 chooses a free one. */
  readonly port: number;
  /** Seed of the faults that are injected. */
  readonly seed: number;
  readonly logger: Logger;
}

/** A sink with a Kafka broker in this process. */
export interface BrokerSink extends Sink {
  /** The address for Kafka clients, for example `127.0.0.1:9092`. */
  readonly bootstrapServers: string;
  readonly broker: EmbeddedBroker;
  /** Resolves when all members of the consumer group have begun to fetch. */
  waitForGroup(groupId: string): Promise<void>;
}

/**
 * Starts the embedded broker with the platform's topics. A run appends to its log directly.
 * @throws BusbarError `port-in-use`, `invalid-option`
 */
export async function brokerSink(options: BrokerSinkOptions): Promise<BrokerSink> {
  // A dynamic import: other sinks need no broker.
  const { startEmbeddedBroker } = await import('../broker/start.js');
  const topics = [eventTopic, deadLetterTopic].map((name) => ({ name, partitions }));
  const broker = await startEmbeddedBroker({ ...options, topics }, 'kafka.port');
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

/** Resolves when a stable group fetches: after joining, a member must still look up its offsets. */
function groupFetches(broker: EmbeddedBroker, groupId: string): Promise<void> {
  return new Promise((resolve) => {
    const fetching = new Set<string>();
    const remove = broker.onRequest(({ apiName, clientId }) => {
      if (apiName !== 'Fetch') return;
      const group = broker.inspect().groups.find(({ id }) => id === groupId);
      if (group?.state !== 'Stable') return;
      fetching.add(clientId);
      if (group.members.every((member) => fetching.has(member.clientId))) {
        remove();
        resolve();
      }
    });
  });
}

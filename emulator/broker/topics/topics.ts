import { randomBytes } from 'node:crypto';
import { Capacity, type CapacityOptions } from './capacity.js';
import { PartitionLog } from '../log/partition-log.js';
import type { BrokerLogger } from '../logger.js';
import { errorCodes } from '../protocol/error-codes.js';
import type { Problem } from './problem.js';
import { topicConfigs } from './topic-config.js';

export interface Topic {
  readonly name: string;
  /** The id of KIP-516, as 22 characters of base64url. */
  readonly id: string;
  readonly partitions: PartitionLog[];
  /** Configurations that differ from the default. */
  readonly config: Map<string, string>;
}

export interface TopicsOptions extends CapacityOptions {
  /** The most partitions that all topics may have together. */
  readonly maxPartitions: number;
}

/** The topics of the broker, by name and by id. */
export class Topics {
  readonly capacity: Capacity;
  readonly #byName = new Map<string, Topic>();
  readonly #byId = new Map<string, Topic>();
  readonly #maxPartitions: number;
  #partitions = 0;

  constructor(options: TopicsOptions, logger: BrokerLogger) {
    this.#maxPartitions = options.maxPartitions;
    this.capacity = new Capacity(options, () => this.#byName.values(), logger);
  }

  get(name: string): Topic | undefined {
    return this.#byName.get(name);
  }

  byId(id: string): Topic | undefined {
    return this.#byId.get(id);
  }

  all(): Topic[] {
    return [...this.#byName.values()];
  }

  /** Why a topic cannot be created; undefined when it can. */
  problem(name: string, partitions: number): Problem | undefined {
    return this.nameProblem(name) ?? this.partitionsProblem(partitions);
  }

  nameProblem(name: string): Problem | undefined {
    const invalid = topicNameProblem(name);
    if (invalid) return { errorCode: errorCodes.invalidTopic, message: invalid };
    if (this.#byName.has(name)) {
      return { errorCode: errorCodes.topicAlreadyExists, message: `Topic '${name}' already exists.` };
    }
    // Metrics replace dots by underscores, so Kafka refuses names that only differ in that.
    const collision = [...this.#byName.keys()].find((other) => metricName(other) === metricName(name));
    if (collision !== undefined) {
      const message = `Topic '${name}' collides with existing topics: ${collision}`;
      return { errorCode: errorCodes.invalidTopic, message };
    }
    return undefined;
  }

  partitionsProblem(added: number): Problem | undefined {
    if (!Number.isInteger(added) || added < 1) {
      return {
        errorCode: errorCodes.invalidPartitions,
        message: 'Number of partitions must be larger than 0.',
      };
    }
    if (this.#partitions + added > this.#maxPartitions) {
      const message = `This broker holds at most ${this.#maxPartitions} partitions in all.`;
      return { errorCode: errorCodes.policyViolation, message };
    }
    return undefined;
  }

  /** Creates a topic for which `problem` is undefined. */
  create(
    name: string,
    partitions: number,
    config: Iterable<readonly [string, string]> = [],
    id: string = newTopicId(),
  ): Topic {
    const topic: Topic = { name, id, partitions: [], config: new Map(config) };
    this.addPartitions(topic, partitions);
    this.#byName.set(name, topic);
    this.#byId.set(id, topic);
    return topic;
  }

  addPartitions(topic: Topic, count: number): void {
    for (let index = 0; index < count; index += 1) {
      topic.partitions.push(new PartitionLog(this.capacity.segmentBytes));
    }
    this.#partitions += count;
  }

  delete(topic: Topic): void {
    this.#byName.delete(topic.name);
    this.#byId.delete(topic.id);
    this.#partitions -= topic.partitions.length;
    this.capacity.forget(topic);
  }
}

/** A random id, in the form Kafka's tools print. */
export function newTopicId(): string {
  return randomBytes(16).toString('base64url');
}

export function configValue(topic: Topic, name: string): string {
  return topic.config.get(name) ?? topicConfigs[name]?.byDefault ?? '';
}

function metricName(topic: string): string {
  return topic.replaceAll('.', '_');
}

/** Kafka's rules for topic names; undefined when the name is a good one. */
export function topicNameProblem(name: string): string | undefined {
  if (name === '') return 'Topic name is invalid: the empty string is not allowed';
  if (name === '.' || name === '..') return "Topic name is invalid: '.' or '..' is not allowed";
  if (name.length > 249) return 'Topic name is invalid: the length is longer than the maximum length 249';
  if (!/^[\w.-]+$/.test(name)) {
    return 'Topic name is invalid: it contains a character other than ASCII alphanumerics, ., _ and -';
  }
  return undefined;
}

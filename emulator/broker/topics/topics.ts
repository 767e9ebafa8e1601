import { Capacity } from './capacity.js';
import { PartitionLog } from '../log/partition-log.js';
import type { Settings } from '../options.js';
import { type Problem, rejection } from './problem.js';
import { newTopicId, type Topic, topicNameProblem } from './topic.js';

/** The broker's topics by name and by id. */
export class Topics {
  readonly capacity: Capacity;
  readonly #byName = new Map<string, Topic>();
  readonly #byId = new Map<string, Topic>();
  readonly #maxPartitions: number;
  #partitions = 0;

  constructor(settings: Settings) {
    this.#maxPartitions = settings.maxPartitions;
    this.capacity = new Capacity(settings, () => this.#byName.values());
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

  /** Returns the reason why a topic cannot be created, or undefined. */
  problem(name: string, partitions: number): Problem | undefined {
    return this.nameProblem(name) ?? this.partitionsProblem(partitions);
  }

  nameProblem(name: string): Problem | undefined {
    const invalid = topicNameProblem(name);
    if (invalid) return invalid;
    if (this.#byName.has(name)) return rejection('topicAlreadyExists', `Topic '${name}' already exists.`);
    // Kafka's metrics replace dots by underscores, so names must differ in more than that.
    const collision = [...this.#byName.keys()].find((other) => metricName(other) === metricName(name));
    if (collision === undefined) return undefined;
    return rejection('invalidTopicException', `Topic '${name}' collides with existing topics: ${collision}`);
  }

  partitionsProblem(added: number): Problem | undefined {
    if (!Number.isInteger(added) || added < 1)
      return rejection('invalidPartitions', 'Number of partitions must be larger than 0.');
    if (this.#partitions + added <= this.#maxPartitions) return undefined;
    return rejection(
      'policyViolation',
      `This broker holds at most ${this.#maxPartitions} partitions in all.`,
    );
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

function metricName(topic: string): string {
  return topic.replaceAll('.', '_');
}

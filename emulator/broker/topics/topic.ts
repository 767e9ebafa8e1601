import { randomBytes } from 'node:crypto';
import type { PartitionLog } from '../log/partition-log.js';
import { type Problem, rejection } from './problem.js';
import { topicConfigs } from './topic-config.js';

export interface Topic {
  readonly name: string;
  /** The id of KIP-516, as 22 characters of base64url. */
  readonly id: string;
  readonly partitions: PartitionLog[];
  /** Configurations that were set. */
  config: ReadonlyMap<string, string>;
}

/** Returns a random id, as Kafka's tools print it. */
export function newTopicId(): string {
  return randomBytes(16).toString('base64url');
}

export function configValue(topic: Topic, name: string): string {
  return topic.config.get(name) ?? topicConfigs[name]?.byDefault ?? '';
}

/** Returns whether records may be deleted other than by compaction. */
export function mayDelete(topic: Topic): boolean {
  return configValue(topic, 'cleanup.policy').includes('delete');
}

/** Returns the problem with a topic name by Kafka's rules. */
export function topicNameProblem(name: string): Problem | undefined {
  const flaw = nameFlaw(name);
  return flaw === undefined
    ? undefined
    : rejection('invalidTopicException', `Topic name is invalid: ${flaw}`);
}

function nameFlaw(name: string): string | undefined {
  if (name === '') return 'the empty string is not allowed';
  if (name === '.' || name === '..') return "'.' or '..' is not allowed";
  if (name.length > 249) return 'the length is longer than the maximum length 249';
  if (/^[\w.-]+$/.test(name)) return undefined;
  return 'it contains a character other than ASCII alphanumerics, ., _ and -';
}

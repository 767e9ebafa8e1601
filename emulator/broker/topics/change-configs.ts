import type { Broker } from '../broker.js';
import { type ErrorCode, errorCodes } from '../protocol/error-codes.js';
import { resourceTypes } from './resources.js';
import { configProblem } from './topic-config.js';
import type { Problem } from './problem.js';
import { topicNameProblem } from './topics.js';

export interface ConfigChange {
  readonly resourceType: number;
  readonly resourceName: string;
  /** The new set of configurations, or what is wrong with the request. */
  readonly change: (current: ReadonlyMap<string, string>) => Map<string, string | null> | Problem;
  readonly validateOnly: boolean;
}

export interface ConfigChanged {
  readonly resourceType: number;
  readonly resourceName: string;
  readonly errorCode: ErrorCode;
  readonly errorMessage: string | null;
}

/** What is wrong with a request for changes before anyone looks at the configurations that it names. */
export function malformed(
  changes: readonly { readonly name: string; readonly value: string | null; readonly deletes?: boolean }[],
): Problem | undefined {
  const refuse = (message: string): Problem => ({ errorCode: errorCodes.invalidRequest, message });
  if (new Set(changes.map(({ name }) => name)).size < changes.length) {
    return refuse('Error due to duplicate config keys');
  }
  const empty = changes.find(({ value, deletes = false }) => value === null && !deletes);
  return empty && refuse(`Null value not supported for: ${empty.name}`);
}

/** Replaces the configurations of a topic if all of the new ones are valid; those of the broker are fixed. */
export function changeConfigs(
  broker: Broker,
  { resourceType, resourceName, change, validateOnly }: ConfigChange,
): ConfigChanged {
  const answer = (errorCode: ErrorCode, errorMessage: string | null = null): ConfigChanged => ({
    resourceType,
    resourceName,
    errorCode,
    errorMessage,
  });
  if (resourceType !== resourceTypes.topic) {
    return answer(
      errorCodes.invalidRequest,
      'Only the configuration of topics can be changed; that of the broker is fixed.',
    );
  }
  const misnamed = topicNameProblem(resourceName);
  if (misnamed !== undefined) return answer(errorCodes.invalidTopic, misnamed);
  const topic = broker.topics.get(resourceName);
  if (!topic)
    return answer(errorCodes.unknownTopicOrPartition, `The topic '${resourceName}' does not exist.`);
  const changed = change(topic.config);
  if (!(changed instanceof Map)) return answer(changed.errorCode, changed.message);
  for (const [name, value] of changed) {
    const problem = configProblem(name, value);
    if (problem) return answer(problem.errorCode, problem.message);
  }
  if (!validateOnly) {
    topic.config.clear();
    for (const [name, value] of changed) topic.config.set(name, value ?? '');
  }
  return answer(errorCodes.none);
}

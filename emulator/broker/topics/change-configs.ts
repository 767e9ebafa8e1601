import type { Broker } from '../broker.js';
import { type ErrorCode, errorCodes } from '../protocol/error-codes.js';
import { resourceTypes } from './resources.js';
import { configProblem } from './topic-config.js';

export interface ConfigChange {
  readonly resourceType: number;
  readonly resourceName: string;
  /** The new set of configurations, or what is wrong with the request. */
  readonly change: (current: ReadonlyMap<string, string>) => Map<string, string | null> | string;
  readonly validateOnly: boolean;
}

export interface ConfigChanged {
  readonly resourceType: number;
  readonly resourceName: string;
  readonly errorCode: ErrorCode;
  readonly errorMessage: string | null;
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
  const topic = broker.topics.get(resourceName);
  if (!topic)
    return answer(errorCodes.unknownTopicOrPartition, `The topic '${resourceName}' does not exist.`);
  const changed = change(topic.config);
  if (typeof changed === 'string') return answer(errorCodes.invalidConfig, changed);
  for (const [name, value] of changed) {
    const problem = configProblem(name, value);
    if (problem !== undefined) return answer(errorCodes.invalidConfig, problem);
  }
  if (!validateOnly) {
    topic.config.clear();
    for (const [name, value] of changed) topic.config.set(name, value ?? '');
  }
  return answer(errorCodes.none);
}

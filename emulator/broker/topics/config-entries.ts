import { topicConfigs } from './topic-config.js';

/** Values of `configSource`. */
const TOPIC_CONFIG = 1;
const DEFAULT_CONFIG = 5;

/** All configurations of a topic as the admin APIs show them: those that are set, and the defaults of the others. */
export function configEntries(set: ReadonlyMap<string, string>) {
  return Object.entries(topicConfigs).map(([name, { byDefault, type }]) => ({
    name,
    value: set.get(name) ?? byDefault,
    readOnly: false,
    isSensitive: false,
    isDefault: !set.has(name),
    configSource: set.has(name) ? TOPIC_CONFIG : DEFAULT_CONFIG,
    configType: type,
    synonyms: [
      ...(set.has(name) ? [{ name, value: set.get(name) ?? null, source: TOPIC_CONFIG }] : []),
      { name, value: byDefault, source: DEFAULT_CONFIG },
    ],
  }));
}

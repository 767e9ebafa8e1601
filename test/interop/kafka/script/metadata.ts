import { ZERO_UUID } from '../../../../src/kafka-protocol/fields.js';
import type { Dialogue } from '../dialogue.js';
import { createTopic } from './prepare.js';

const UNKNOWN_ID = 'AAAAAAAAAAAAAAAAAAAAZg';

/** Topics by name and by id, known and unknown, valid and not. */
export async function metadata(to: Dialogue): Promise<void> {
  const known = await createTopic(to, 'metadata', 2);
  const ask = (name: string, topics: unknown, create = false) =>
    to.step(name, 'Metadata', request(topics, create));
  await to.inEveryVersion('a known topic', 'Metadata', () => request([byName(known.name)], false));
  await to.inEveryVersion('an unknown topic', 'Metadata', (version) =>
    // Before version 4 a request creates the topic.
    version < 4 ? request([byName(known.name)], false) : request([byName(to.named('unknown'))], false),
  );
  await to.inEveryVersion('a known topic with its operations', 'Metadata', () => ({
    ...request([byName(known.name)], false),
    includeClusterAuthorizedOperations: true,
    includeTopicAuthorizedOperations: true,
  }));
  await ask('by id', [{ name: null, topicId: known.id }]);
  await ask('by an unknown id', [{ name: null, topicId: UNKNOWN_ID }]);
  await ask('by no name and no id', [{ name: null, topicId: ZERO_UUID }]);
  await ask('by name and id', [{ name: known.name, topicId: known.id }]);
  await ask('no topics', []);
  await ask('the same topic twice', [byName(known.name), byName(known.name)]);
  await ask('a name with a space', [byName('a b')]);
  await ask('an empty name', [byName('')]);
  await ask('a name with a space, to be created', [byName('a b')], true);
  await ask('an unknown topic, to be created', [byName(to.named('to-be-created'))], true);
}

function byName(name: string) {
  return { name, topicId: ZERO_UUID };
}

function request(topics: unknown, allowAutoTopicCreation: boolean) {
  return {
    topics,
    allowAutoTopicCreation,
    includeClusterAuthorizedOperations: false,
    includeTopicAuthorizedOperations: false,
  };
}

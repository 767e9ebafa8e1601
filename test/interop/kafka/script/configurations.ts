import type { Dialogue } from '../dialogue.js';
import { createTopic, entries } from './prepare.js';

const TOPIC = 2;
const BROKER = 4;
const [SET, DELETE, APPEND, SUBTRACT] = [0, 1, 2, 3];

/** Configurations of topics, described and changed. */
export async function configurations(to: Dialogue): Promise<void> {
  const { name } = await createTopic(to, 'configured', 1, { 'retention.ms': '5000' });
  await described(to, name);
  await changed(to, name);
  await replaced(to, name);
}

async function described(to: Dialogue, topic: string): Promise<void> {
  const describe = (label: string, resource: Record<string, unknown>) =>
    to.step(`describe ${label}`, 'DescribeConfigs', request([resource]));
  await to.inEveryVersion('describe a configuration', 'DescribeConfigs', () =>
    request([of(topic, { configurationKeys: ['retention.ms', 'cleanup.policy'] })]),
  );
  await describe('all of a topic', of(topic));
  await describe('no configuration', of(topic, { configurationKeys: [] }));
  await describe('an unknown configuration', of(topic, { configurationKeys: ['no.such'] }));
  await describe('an unknown topic', of(to.named('unknown')));
  await describe('a topic with a bad name', of('a b'));
  await describe('a topic with no name', of(''));
  await describe('an unknown broker', { ...of('77'), resourceType: BROKER });
  await describe('a broker that is no number', { ...of('abc'), resourceType: BROKER });
  await describe('an unknown kind', { ...of('x'), resourceType: 99 });
}

async function changed(to: Dialogue, topic: string): Promise<void> {
  const change = (label: string, configs: unknown, resource: Record<string, unknown> = {}) =>
    to.step(`change ${label}`, 'IncrementalAlterConfigs', {
      resources: [{ resourceType: TOPIC, resourceName: topic, configs, ...resource }],
      validateOnly: false,
    });
  const operation = (name: string, configOperation: number, value: string | null) => ({
    ...{ name, configOperation, value },
  });
  await to.inEveryVersion('change validated', 'IncrementalAlterConfigs', () => ({
    resources: [
      { resourceType: TOPIC, resourceName: topic, configs: [operation('retention.ms', SET, '7000')] },
    ],
    validateOnly: true,
  }));
  await change('a number', [operation('retention.ms', SET, '6000')]);
  await change('an unknown configuration', [operation('no.such', SET, '1')]);
  await change('to a bad value', [operation('retention.ms', SET, 'abc')]);
  await change('to null', [operation('retention.ms', SET, null)]);
  await change('to nothing', [operation('retention.ms', SET, '')]);
  await change('by appending', [operation('cleanup.policy', APPEND, 'compact')]);
  await change('by appending again', [operation('cleanup.policy', APPEND, 'compact')]);
  await change('by subtracting', [operation('cleanup.policy', SUBTRACT, 'delete')]);
  await change('by subtracting what is not there', [operation('cleanup.policy', SUBTRACT, 'delete')]);
  await change('by appending to a number', [operation('retention.ms', APPEND, '1')]);
  await change('by appending a bad value', [operation('cleanup.policy', APPEND, 'burn')]);
  await change('by deleting', [operation('cleanup.policy', DELETE, null)]);
  await change('by deleting what is not set', [operation('segment.ms', DELETE, null)]);
  await change('by deleting what is not known', [operation('no.such', DELETE, null)]);
  await change('by an unknown operation', [operation('retention.ms', 9, '1')]);
  await change('twice in one request', [
    operation('retention.ms', SET, '1'),
    operation('retention.ms', SET, '2'),
  ]);
  await change('nothing', []);
  await change('an unknown topic', [operation('retention.ms', SET, '1')], {
    resourceName: to.named('unknown'),
  });
  await change('a bad topic', [operation('retention.ms', SET, '1')], { resourceName: 'a b' });
  await change('an unknown kind', [operation('retention.ms', SET, '1')], { resourceType: 99 });
  await change('an unknown broker', [operation('log.retention.ms', SET, '1')], {
    ...{ resourceType: BROKER, resourceName: '77' },
  });
  await change('at last', [operation('retention.ms', SET, '6543')]);
  await configurationIs(to, topic, 'after the changes', 'retention.ms', '6543');
}

async function replaced(to: Dialogue, topic: string): Promise<void> {
  const replace = (label: string, configs: Record<string, string | null>, name = topic) =>
    to.step(`replace ${label}`, 'AlterConfigs', {
      resources: [{ resourceType: TOPIC, resourceName: name, configs: entries(configs) }],
      validateOnly: false,
    });
  await to.inEveryVersion('replace validated', 'AlterConfigs', () => ({
    resources: [{ resourceType: TOPIC, resourceName: topic, configs: entries({ 'retention.ms': '9000' }) }],
    validateOnly: true,
  }));
  await replace('with an unknown configuration', { 'no.such': '1' });
  await replace('with a bad value', { 'retention.ms': 'abc' });
  await replace('with null', { 'retention.ms': null });
  await replace('of an unknown topic', { 'retention.ms': '1' }, to.named('unknown'));
  await replace('of all', { 'segment.ms': '4000' });
  await configurationIs(to, topic, 'after the replacement', 'segment.ms', '4000');
}

async function configurationIs(
  to: Dialogue,
  topic: string,
  label: string,
  name: string,
  value: string,
): Promise<void> {
  await to.settle(label, 'DescribeConfigs', request([of(topic)]), ({ results: [result] }: Described) =>
    result!.configs.some((one) => one.name === name && one.value === value),
  );
  await to.step(
    label,
    'DescribeConfigs',
    request([of(topic, { configurationKeys: ['retention.ms', 'segment.ms', 'cleanup.policy'] })]),
  );
}

function of(resourceName: string, changes: Record<string, unknown> = {}) {
  return { resourceType: TOPIC, resourceName, configurationKeys: null, ...changes };
}

function request(resources: unknown) {
  return { resources, includeSynonyms: true, includeDocumentation: false };
}

interface Described {
  readonly results: readonly {
    readonly configs: readonly { readonly name: string; readonly value: string }[];
  }[];
}

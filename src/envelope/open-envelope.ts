import { BusbarError, quoted } from '../base/errors.js';
import { loadModule } from '../base/import-module.js';
import { didYouMean, nearest } from '../base/nearest.js';
import { isObject } from '../base/options.js';
import { envelopeAtPaths, type EnvelopePaths, envelopePaths } from './at-paths.js';
import { busbarEnvelope } from './busbar.js';
import { type EnvelopeChoice, envelopeOf, isCodec } from './by-topic.js';
import { cloudEventsEnvelope } from './cloudevents.js';
import type { EnvelopeCodec } from './envelope.js';
import { eventBridgeEnvelope } from './eventbridge.js';

/**
 * A wire format in a configuration: a name of {@link envelopeNames}, the path of a module that exports a codec as
 * `envelope` or default, paths, or codecs. An object by topic may contain any of them.
 */
export type EnvelopeSetting =
  | string
  | EnvelopePaths
  | EnvelopeChoice
  | { readonly [topic: string]: EnvelopeSetting };

const named: ReadonlyMap<string, () => EnvelopeCodec> = new Map<string, () => EnvelopeCodec>([
  ['busbar', busbarEnvelope],
  ['cloudevents', () => cloudEventsEnvelope()],
  ['cloudevents-binary', () => cloudEventsEnvelope({ mode: 'binary' })],
  ['eventbridge', eventBridgeEnvelope],
]);

/** The names of the wire formats that Busbar reads and sends. */
export const envelopeNames: readonly string[] = [...named.keys()];

/**
 * Returns the codec of a setting.
 * @param directory Directory of relative paths. Default: the working directory.
 * @throws BusbarError `invalid-option`, `invalid-module`
 */
export async function openEnvelope(
  setting: EnvelopeSetting,
  { directory = process.cwd() }: { readonly directory?: string } = {},
): Promise<EnvelopeCodec> {
  if (typeof setting === 'string') {
    return named.get(setting)?.() ?? openModule(setting, directory);
  }
  if (typeof setting === 'function' || isCodec(setting)) return envelopeOf(setting);
  // A configuration in JSON has any value.
  if (!isObject(setting) || Object.keys(setting).length === 0) {
    const expected = `a name (${envelopeNames.join(', ')}), the path of a module, paths or a codec`;
    throw new BusbarError('invalid-option', `"envelope" must be ${expected}.`);
  }
  if (isPaths(setting)) return envelopeAtPaths(setting);
  const byTopic = Object.entries(setting as Readonly<Record<string, EnvelopeSetting>>).map(
    async ([topic, each]) => [topic, await openEnvelope(each, { directory })] as const,
  );
  return envelopeOf(Object.fromEntries(await Promise.all(byTopic)));
}

async function openModule(file: string, directory: string): Promise<EnvelopeCodec> {
  if (!/[./\\]/.test(file)) {
    const hint =
      didYouMean(nearest(file, envelopeNames, 1)) ||
      ` The envelopes are ${envelopeNames.join(', ')}, or the path of a module.`;
    throw new BusbarError('invalid-option', `Envelope ${quoted(file)} does not exist.${hint}`);
  }
  const loaded = await loadModule(file, directory);
  const exported = loaded['envelope'] ?? loaded['default'];
  if (isCodec(exported)) return exported;
  const hint = 'Export a codec as "envelope" or as default.';
  throw new BusbarError('invalid-module', `Module ${quoted(file)} exports no envelope. ${hint}`);
}

/** Whether an object has paths, maybe not all that it needs. `{ type: 'cloudevents' }` is by topic. */
function isPaths(setting: object): setting is EnvelopePaths {
  if ('type' in setting && 'payload' in setting) return typeof setting.type === 'string';
  const isPath = ([name, path]: readonly [string, unknown]) =>
    Object.hasOwn(envelopePaths, name) && typeof path === 'string' && !named.has(path);
  return Object.keys(setting).length > 0 && Object.entries(setting).every(isPath);
}

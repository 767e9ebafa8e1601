import { dirname, resolve } from 'node:path';
import type { Catalogue } from '../../catalogue/catalogue.js';
import type { ConsumerOptions } from '../consumer.js';
import type { EnvelopeCodec } from '../envelope/envelope.js';
import type { EnvelopeSetting } from '../envelope/open-envelope.js';
import type { RunOptions } from '../running/run-options.js';
import type { KafkaConnectionOptions } from '../transports/kafka/connection.js';
import { configFile } from './find-config.js';

/**
 * The keys of a configuration file. `busbar-emulator` adds its own. A string that begins with `./` or `../` is a path
 * relative to the file.
 */
export interface BusbarConfig {
  /** Folders and files with the schemas of your own events, which join the built-in events. */
  readonly catalogue?: string | readonly string[];
  /** The wire format: its name, a module that exports a codec, a codec, or the paths of its fields; or one for each topic. Default `busbar`. */
  readonly envelope?: EnvelopeSetting;
  /** Topics that the consumer reads. */
  readonly topics?: readonly string[];
  /** Connection to Kafka. */
  readonly kafka?: Partial<KafkaConnectionOptions>;
  /** Options of `createConsumer` and `run`. */
  readonly consumer?: Omit<ConsumerOptions & RunOptions, 'catalogue' | 'envelope'>;
}

/** A configuration file, read and validated. */
export interface LoadedConfig extends BusbarConfig {
  /** Path of the file; undefined if there is none. */
  readonly file: string | undefined;
  /** Opens the built-in catalogue with the events of the key `catalogue`. */
  openCatalogue(): Promise<Catalogue>;
  /** Opens the wire format of the key `envelope`. */
  openEnvelope(): Promise<EnvelopeCodec>;
}

/**
 * Returns the configuration unchanged. Editors complete and check its keys.
 * @example
 * export default defineConfig({ catalogue: './events', envelope: 'cloudevents', topics: ['platform.events'] });
 */
export function defineConfig(config: BusbarConfig): BusbarConfig {
  return config;
}

/**
 * Reads the file that `--config` or `BUSBAR_CONFIG` names, else `busbar.config.ts`, `.js` (or `.mts`, `.cts`, `.mjs`,
 * `.cjs`) or `.json` of the working directory, or of the nearest folder above it.
 * @param path Path of another file.
 * @throws BusbarError `invalid-module`
 */
export async function loadConfig(path?: string): Promise<LoadedConfig> {
  const file = path === undefined ? configFile() : resolve(path);
  const values: BusbarConfig =
    file === undefined ? {} : (await (await import('./read-config.js')).readConfig(file)).values;
  const directory = file === undefined ? process.cwd() : dirname(file);
  return {
    ...values,
    file,
    async openCatalogue() {
      const { loadCatalogue } = await import('../../catalogue/sources/load.js');
      return loadCatalogue([values.catalogue ?? []].flat(), { directory });
    },
    async openEnvelope() {
      const { openEnvelope } = await import('../envelope/open-envelope.js');
      return openEnvelope(values.envelope ?? 'busbar', { directory });
    },
  };
}

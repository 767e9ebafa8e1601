import { createRequire } from 'node:module';
import { BusbarError } from '../../../base/errors.js';
import { quoted } from '../../../base/quoted.js';
import type { Partition } from '../../transport.js';

/** Unpacks the records of a batch. */
export interface Codec {
  decompress(bytes: Buffer): Promise<Buffer>;
}

/**
 * The codec that a batch needs: gzip is built into kafkajs, others are those that the user has added to it.
 * @throws BusbarError `missing-package`
 */
export function codecFor(compression: number, partition: Partition): Codec {
  try {
    const codec = codecs.lookupCodecByAttributes(compression);
    if (codec !== null) return codec;
  } catch (error) {
    if (!isMissingCodec(error)) throw error;
  }
  throw missingCodec(nameOf(compression), partition);
}

/** Whether kafkajs has found no codec, where it reads by itself. */
export function isMissingCodec(error: unknown): error is Error {
  return error instanceof Error && error.name === 'KafkaJSNotImplemented';
}

/** What a partition cannot be read without. `codec` is as in kafkajs' `CompressionTypes`. */
export function missingCodec(codec: string, { topic, partition }: Partition): BusbarError {
  const error = new BusbarError(
    'missing-package',
    `Topic ${quoted(topic)}, partition ${partition} has records that are compressed with ${codec}, and there is no codec for it. ` +
      `Install one and register it before the start: CompressionCodecs[CompressionTypes.${codec}] of kafkajs, see docs/guides/kafka.md.`,
  );
  // Read by kafkajs: to fetch them again would not help.
  return Object.assign(error, { retriable: false });
}

/** With the codecs that the user has added. */
const codecs = createRequire(import.meta.url)('kafkajs/src/protocol/message/compression') as {
  readonly Types: Readonly<Record<string, number>>;
  lookupCodecByAttributes(attributes: number): Codec | null;
};

function nameOf(type: number): string {
  return Object.keys(codecs.Types).find((name) => codecs.Types[name] === type) ?? String(type);
}

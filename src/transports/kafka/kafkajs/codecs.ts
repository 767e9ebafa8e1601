import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import kafkajs from 'kafkajs';
import { BusbarError, quoted } from '../../../base/errors.js';
import type { Partition } from '../../transport.js';

const codecs: Readonly<Record<number, (() => Codec) | undefined>> = kafkajs.CompressionCodecs;
const types = kafkajs.CompressionTypes as unknown as Readonly<Record<string, number>>;
const unzip = promisify(gunzip);

/** Bytes of a decompressed batch. A few hundred kilobytes of gzip data can become gigabytes. */
const maxOutputLength = 268_435_456;

/**
 * Decompresses the records of a batch, other than by gzip with the codecs that the user has registered with kafkajs.
 * @throws BusbarError `missing-package`; Error for damaged data, and gzip data of more than 256 MiB
 */
export async function decompress(bytes: Buffer, compression: number, partition: Partition): Promise<Buffer> {
  if (compression === types['GZIP']) {
    // The data ends with its decompressed size (RFC 1952, 2.3.1).
    const size = bytes.length < 4 ? 0 : bytes.readUInt32LE(bytes.length - 4);
    if (size > maxOutputLength) throw new Error(`${size} bytes, at most ${maxOutputLength}`);
    // Node's default of 16 KiB takes three times as long for a large batch.
    const chunkSize = Math.min(Math.max(size + 1, 16_384), 262_144);
    return unzip(bytes, { chunkSize, maxOutputLength });
  }
  return (await codecOf(compression, partition).decompress(bytes)) as Buffer;
}

interface Codec {
  decompress(bytes: Buffer): Promise<unknown>;
}

function codecOf(compression: number, { topic, partition }: Partition): Codec {
  try {
    const codec = codecs[compression]?.();
    if (codec !== undefined) return codec;
  } catch (error) {
    // Thrown by kafkajs in place of a codec that is not registered.
    if ((error as Error).name !== 'KafkaJSNotImplemented') throw error;
  }
  const [name = String(compression)] = Object.entries(types).find(([, type]) => type === compression) ?? [];
  throw new BusbarError(
    'missing-package',
    `Topic ${quoted(topic)}, partition ${partition} has records compressed with ${name}. ` +
      `Install a codec and register it before the start: CompressionCodecs[CompressionTypes.${name}] of kafkajs.`,
  );
}

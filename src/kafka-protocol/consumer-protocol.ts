import { compile } from './codec.js';
import { bytes, type Fields, int32, list, listOf, type Read, string, type Written } from './fields.js';
import { Reader } from './reader.js';
import { Writer } from './writer.js';

// Messages between the members of a consumer group. Brokers pass them on without reading them.

const partitions = { topic: string(), partitions: listOf(int32()) };
const userData = () => bytes('v0+', { nullable: 'v0+' });

/** A member's topics and partitions. Version 3 adds its rack. */
export const subscription = {
  topics: listOf(string()),
  userData: userData(),
  ownedPartitions: list(partitions, 'v1+', { default: [] }),
  generationId: int32('v2+', { default: -1 }),
};

/** The partitions that the leader of the group assigns to a member. */
export const assignment = { assignedPartitions: list(partitions), userData: userData() };

/** Returns the bytes of a message, which begin with its version. */
export function encodeForMembers<F extends Fields>(fields: F, version: number, message: Written<F>): Buffer {
  const writer = new Writer();
  writer.int16(version);
  compile(fields, version, false).write(writer, message);
  return Buffer.concat(writer.finish());
}

/** Reads a message of any version: a newer one has more fields at its end. @throws MalformedMessage */
export function decodeForMembers<F extends Fields>(fields: F, message: Buffer): Read<F> {
  const reader = new Reader(message);
  return compile(fields, reader.int16(), false).read(reader);
}

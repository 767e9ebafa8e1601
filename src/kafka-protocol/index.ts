/**
 * @internal The Kafka protocol, shared by the consumer and the embedded broker. May change in any release.
 */
export * from './api-table.js';
export * from './apis/index.js';
export * from './build-batch.js';
export * from './codec.js';
export * from './crc32c.js';
export * from './error-codes.js';
export * from './fields.js';
export * from './frames.js';
export * from './lazy-headers.js';
export * from './murmur2.js';
export * from './reader.js';
export * from './record-batch.js';
export * from './record-reader.js';
export * from './record-set.js';
export * from './writer.js';

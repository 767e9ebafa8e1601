/**
 * Returns the partition that Kafka's default partitioner chooses for a key: murmur2 with Java's seed, the sign bit
 * cleared, modulo the number of partitions. Java, kafkajs and librdkafka's `murmur2` agree on it.
 */
export function partitionOfKey(key: Uint8Array, partitions: number): number {
  return (murmur2(key) & 0x7fff_ffff) % partitions;
}

/** Returns the 32-bit MurmurHash2 with Kafka's seed, as a signed number. */
export function murmur2(bytes: Uint8Array): number {
  const M = 0x5bd1e995;
  const { length } = bytes;
  const at = (index: number): number => bytes[index] as number;
  let hash = 0x9747b28c ^ length;
  let index = 0;
  for (; index + 4 <= length; index += 4) {
    let word = at(index) | (at(index + 1) << 8) | (at(index + 2) << 16) | (at(index + 3) << 24);
    word = Math.imul(word, M);
    word ^= word >>> 24;
    hash = Math.imul(hash, M) ^ Math.imul(word, M);
  }
  const rest = length - index;
  if (rest >= 3) hash ^= at(index + 2) << 16;
  if (rest >= 2) hash ^= at(index + 1) << 8;
  if (rest >= 1) hash = Math.imul(hash ^ at(index), M);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, M);
  return hash ^ (hash >>> 15);
}

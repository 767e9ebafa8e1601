import { batchLayout } from '../../../src/kafka-protocol/record-batch.js';
import { ZERO_UUID } from '../../../src/kafka-protocol/fields.js';

/** Fields that depend on the cluster, not on the behaviour. Error texts are ignored; error codes are compared. */
const LEFT_OUT = new Set([
  ...['throttleTimeMs', 'errorMessage', 'message', 'host', 'port', 'clientHost', 'clusterId', 'brokers'],
  // Those of a topic's configuration are named after the broker's settings, which are others here.
  ...['controllerId', 'documentation', 'synonyms', 'logDir', 'totalBytes', 'usableBytes'],
]);

/** Configurations that one of the releases does not have, or with another default. */
const OF_ONE_RELEASE = new Set([
  ...['message.downconversion.enable', 'message.format.version', 'message.timestamp.difference.max.ms'],
  ...['message.timestamp.after.max.ms', 'compression.gzip.level', 'segment.bytes', 'min.insync.replicas'],
  ...['remote.log.copy.disable', 'remote.log.delete.on.disable'],
]);

const BESIDE_AN_ERROR = new Set(['logStartOffset', 'abortedTransactions', 'logAppendTimeMs']);

/** Makes the responses of two brokers comparable: replaces ids by numbers in the order of their appearance. */
export class Normaliser {
  readonly #prefix: string;
  readonly #seen = new Map<string, Map<unknown, string>>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  normalise(value: unknown, name = ''): unknown {
    if (name === 'records') return batches(value);
    if (Buffer.isBuffer(value)) return value.toString('latin1');
    if (Array.isArray(value)) return this.#list(value, name);
    if (typeof value === 'object' && value !== null) {
      // Fields next to an error are meaningless.
      const hasFailed = 'errorCode' in value && value.errorCode !== 0;
      return Object.fromEntries(
        Object.entries(value)
          .filter(([key]) => !LEFT_OUT.has(key) && !(hasFailed && BESIDE_AN_ERROR.has(key)))
          .map(([key, each]) => [key, this.normalise(each, key)]),
      );
    }
    if (name === 'topicId' && value !== ZERO_UUID) return this.#numbered('topic id', value);
    if ((name === 'memberId' || name === 'leader') && value !== '') return this.#numbered('member', value);
    if (name === 'producerId' && typeof value === 'number' && value > 0)
      return this.#numbered('producer', value);
    if (name === 'logAppendTimeMs' && typeof value === 'number' && value > 0) return 'now';
    return typeof value === 'string' ? value.replaceAll(this.#prefix, 'prefix') : value;
  }

  /** Sorts lists that a broker returns from a set. */
  #list(values: readonly unknown[], name: string): unknown[] {
    const all = values.filter((value) => this.#isOurs(value)).map((value) => this.normalise(value));
    const isSet = [
      'configs',
      'groups',
      'topics',
      'members',
      'responses',
      'results',
      'synonyms',
      'partitions',
    ];
    return isSet.includes(name) ? all.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : all;
  }

  /** A cluster may have groups of others, and configurations of its release. */
  #isOurs(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return true;
    if ('name' in value && OF_ONE_RELEASE.has(String(value.name))) return false;
    if (!('groupId' in value)) return true;
    return value.groupId === '' || String(value.groupId).startsWith(this.#prefix);
  }

  #numbered(kind: string, value: unknown): string {
    const known = this.#seen.get(kind) ?? new Map<unknown, string>();
    this.#seen.set(kind, known);
    const name = known.get(value) ?? `${kind} ${known.size + 1}`;
    known.set(value, name);
    return name;
  }
}

/** Returns whole batches only: Kafka may cut off the last batch of a response. */
function batches(records: unknown): unknown {
  if (!Buffer.isBuffer(records)) return records;
  const found = [];
  for (let at = 0; at + batchLayout.records <= records.length; ) {
    const end = at + batchLayout.partitionLeaderEpoch + records.readInt32BE(at + batchLayout.batchLength);
    if (end > records.length) break;
    found.push({
      baseOffset: Number(records.readBigInt64BE(at)),
      leaderEpoch: records.readInt32BE(at + batchLayout.partitionLeaderEpoch),
      attributes: records.readInt16BE(at + batchLayout.attributes),
      count: records.readInt32BE(at + batchLayout.recordCount),
      baseSequence: records.readInt32BE(at + batchLayout.baseSequence),
      maxTimestamp: shownTime(Number(records.readBigInt64BE(at + batchLayout.maxTimestamp))),
    });
    at = end;
  }
  return found;
}

/** The script's own timestamps are fixed ones of long ago or far ahead; any other is the broker's clock. */
function shownTime(timestamp: number): number | string {
  return Math.abs(timestamp - Date.now()) < 3_600_000 ? 'now' : timestamp;
}

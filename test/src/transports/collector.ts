import type { ConsumerRecord, Partition, Receiver, Subscription } from '../../../src/transports/transport.js';

/** A receiver that keeps what it gets and lets a test wait for it. */
export interface Collector extends Receiver {
  readonly records: readonly ConsumerRecord[];
  readonly batches: readonly { readonly partition: Partition; readonly records: readonly ConsumerRecord[] }[];
  readonly ends: number;
  readonly failures: readonly Error[];
  readonly revoked: readonly Partition[];
  /** Whether `receive` was ever called for a partition while a call for it was under way. */
  readonly reentered: boolean;
  /** Whether records were offered for a partition after a refusal and before `resume`. */
  readonly pressed: boolean;
  attach(subscription: Subscription): void;
  /** Resumes the partition at the subscription. */
  resume(partition: Partition): void;
  /** From now on it takes this many more records. */
  makeRoom(records: number): void;
  /** Resolves with all records when there are at least `count`. */
  received(count: number): Promise<readonly ConsumerRecord[]>;
  /** Resolves when records were refused, now or since the last call. */
  refusal(): Promise<{ partition: Partition }>;
  ended(): Promise<void>;
}

export interface CollectorOptions {
  /** Number of records to take. Default: all. */
  readonly room?: number;
  /** Resumes from within `receive`, with room for one more: the hardest case for a transport. */
  readonly resumeAtOnce?: boolean;
}

export function collector(options: CollectorOptions = {}): Collector {
  const records: ConsumerRecord[] = [];
  const batches: { partition: Partition; records: readonly ConsumerRecord[] }[] = [];
  const failures: Error[] = [];
  const revoked: Partition[] = [];
  const blocked = new Set<Partition>();
  const busy = new Set<Partition>();
  const waiting = new Set<() => void>();
  let room = options.room ?? Number.POSITIVE_INFINITY;
  let refused: Partition | undefined;
  let ends = 0;
  let reentered = false;
  let pressed = false;
  let subscription: Subscription | undefined;

  const changed = () => {
    for (const check of [...waiting]) check();
  };
  const until = <T>(what: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const check = () => {
        const found = what();
        const [failure] = failures;
        if (found !== undefined) resolve(found);
        else if (failure !== undefined) reject(failure);
        else return;
        waiting.delete(check);
      };
      waiting.add(check);
      check();
    });

  const resume = (partition: Partition) => {
    blocked.delete(partition);
    subscription?.resume(partition);
  };

  return {
    records,
    batches,
    failures,
    revoked,
    get ends() {
      return ends;
    },
    get reentered() {
      return reentered;
    },
    get pressed() {
      return pressed;
    },
    resume,
    attach: (attached) => {
      subscription = attached;
    },
    makeRoom: (more) => {
      room = more;
    },
    received: (count) => until(() => (records.length >= count ? records : undefined)),
    refusal: () =>
      until(() => {
        const partition = refused;
        refused = undefined;
        return partition && { partition };
      }),
    ended: () => until(() => (ends > 0 ? true : undefined)).then(() => undefined),
    receive(partition, offered) {
      reentered ||= busy.has(partition);
      pressed ||= blocked.has(partition);
      busy.add(partition);
      const taken = offered.slice(0, room);
      room -= taken.length;
      records.push(...taken);
      if (taken.length > 0) batches.push({ partition, records: taken });
      if (taken.length < offered.length) {
        blocked.add(partition);
        if (options.resumeAtOnce) {
          room = 1;
          resume(partition);
        } else refused = partition;
      }
      busy.delete(partition);
      queueMicrotask(changed);
      return taken.length;
    },
    revoke(partitions) {
      revoked.push(...partitions);
      return Promise.resolve();
    },
    end() {
      ends++;
      changed();
    },
    fail(error) {
      failures.push(error);
      changed();
    },
  };
}

// A consumer process with an inbox. Checks each record and each handled event against tables of a fixed size, so that
// its memory does not grow with them. Its results are in the global `soak`, which the inspector reads.
import { createConsumer, silentLogger } from 'busbar';
import { idempotent, memoryStore } from 'busbar/idempotency';
import { kafka } from 'busbar/kafka';
import { reportOutcomes } from 'busbar/operations';

const [broker = '', url = '', expected = ''] = process.argv.slice(2);
/** Number of events for which there is room. */
const room = Number(expected);

/** The numbers that it was given, as an open hash table. */
class Numbers {
  readonly #bits = Math.ceil(Math.log2(2 * room));
  readonly #slots = new BigUint64Array(2 ** this.#bits);

  /** Returns false if the number is there already. */
  add(number: bigint): boolean {
    // Offsets follow each other in every partition: as slots, they would make one long run of used ones.
    let slot = Number(mixed(number) >> BigInt(64 - this.#bits));
    while (this.#slots[slot] !== 0n) {
      if (this.#slots[slot] === number) return false;
      slot = (slot + 1) % this.#slots.length;
    }
    this.#slots[slot] = number;
    return true;
  }
}

const soak = {
  settled: 0,
  redelivered: 0,
  deadLettered: 0,
  handled: 0,
  handledTwice: 0,
  /** Account numbers of recent events. */
  accounts: Array.from({ length: 32 }, () => ''),
};
Object.assign(globalThis, { soak });
/** Returns 64 bits of an id: its halves are not random alone. */
function hashOf(id: string): bigint {
  const hex = id.replaceAll('-', '');
  const [high, low] = [hex.slice(0, 16), hex.slice(16)].map((half) => BigInt(`0x${half}`)) as [
    bigint,
    bigint,
  ];
  return mixed(high) ^ low;
}

/** Returns 64 bits of which the upper ones depend on all of the number. */
function mixed(number: bigint): bigint {
  return BigInt.asUintN(64, number * 0x9e3779b97f4a7c15n);
}

const ids = new Numbers();
const positions = new Numbers();

const consumer = createConsumer({ name: 'soak', logger: silentLogger });
consumer.use(idempotent({ store: memoryStore({ capacity: 20_000 }) }));
consumer.onMatching('*', ({ id = '', payload }) => {
  if (!ids.add(hashOf(id))) soak.handledTwice++;
  const account = (payload as { account_number?: unknown }).account_number;
  if (typeof account === 'string') soak.accounts[soak.handled % soak.accounts.length] = account;
  soak.handled++;
});
const running = await consumer.run(
  kafka({ brokers: [broker], groupId: 'soak', topics: ['platform.events'], fromBeginning: true }),
  {
    observer: [
      reportOutcomes({ consumer: 'soak', url }),
      {
        settled({ partition, offset }, { outcome }) {
          soak.settled++;
          if (outcome === 'dead-lettered') soak.deadLettered++;
          if (!positions.add((BigInt(partition) << 48n) + BigInt(offset) + 1n)) soak.redelivered++;
        },
      },
    ],
  },
);
process.once('SIGTERM', () => void running.stop());

import kafkajs, { type Admin } from 'kafkajs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../../src/base/clock.js';
import { silentLogger } from '../../../src/base/logger.js';
import { kafkajsClient } from '../../../src/transports/kafka/index.js';
import type { Kill } from './explanations.js';
import { effectsIn } from './inbox.js';
import { now } from './journal.js';
import { Load } from './load.js';
import type { MemberOptions } from './member.js';
import { MemberProcess } from './member-process.js';
import { judge } from './oracle.js';
import { type Fault, type FaultKind, planOf } from './plan.js';
import type { FaultReport } from './report.js';

/** A broker for a run, embedded or not. */
export interface FaultyBroker {
  readonly host: string;
  readonly port: number;
  /** Goes and comes back with all it had; absent where that cannot be: then all ways to it are cut. */
  restart?(): Promise<void>;
  /** Refuses dead letters, until called with `true`. */
  takeDeadLetters(isTaking: boolean): Promise<void>;
}

export interface FaultRunOptions {
  readonly seed: number;
  readonly faults: number;
  readonly events: number;
  /** The option `rebalance` of each member, in turn. */
  readonly rebalances: readonly MemberOptions['rebalance'][];
  /** Default all. */
  readonly kinds?: readonly FaultKind[];
  readonly broker: FaultyBroker;
  /** A PostgreSQL database in which members write effects and marks together; absent: no inbox. */
  readonly inbox?: string;
  /** Folder for the journals of the members. Default: none. */
  readonly keep?: string;
  readonly log: (line: string) => void;
}

/** Times in milliseconds. */
const sessionTimeout = 4_000;
const settlingTime = 900_000;

/** One run: events go in, members come and go and are ill-treated, and then everything must have been handled. */
export async function runFaults(options: FaultRunOptions): Promise<FaultReport> {
  const run = new FaultRun(options);
  try {
    return await run.play();
  } finally {
    await run.end();
  }
}

class FaultRun {
  readonly #options: FaultRunOptions;
  readonly #folder: string;
  readonly #topic = 'faults';
  readonly #kafka: kafkajs.Kafka;
  readonly #admin: Admin;
  readonly #load: Load;
  readonly #members: MemberProcess[] = [];
  readonly #kills: Kill[] = [];
  readonly #done: Record<string, number> = {};

  constructor(options: FaultRunOptions) {
    const { broker, events, keep } = options;
    this.#options = options;
    this.#folder = mkdtempSync(join(keep ?? tmpdir(), 'busbar-faults-'));
    this.#kafka = new kafkajs.Kafka({
      brokers: [`${broker.host}:${broker.port}`],
      clientId: 'load',
      logLevel: kafkajs.logLevel.NOTHING,
      retry: { retries: 20, maxRetryTime: 1_000 },
    });
    this.#admin = this.#kafka.admin();
    this.#load = new Load(`${broker.host}:${broker.port}`, this.#topic, events);
  }

  async play(): Promise<FaultReport> {
    const { seed, faults, events, kinds, inbox, log } = this.#options;
    await this.#admin.connect();
    const database = inbox === undefined ? undefined : effectsIn(inbox);
    await database?.prepare();
    await this.#admin.createTopics({
      waitForLeaders: true,
      topics: [this.#topic, this.#deadLetterTopic].map((topic) => ({ topic, numPartitions: 6 })),
    });
    await this.#startMember();
    const load = this.#load;
    const playing = load.play();
    // Looked at below; until then its failure must not end the process.
    playing.catch(() => undefined);
    for (const fault of planOf(seed, faults, events, kinds)) {
      const from = load.handled;
      await load.until(() => load.handled >= from + fault.after || load.isNearlyDone, 20_000);
      await this.#inflict(fault);
      this.#done[fault.kind] = (this.#done[fault.kind] ?? 0) + 1;
      log(`${fault.kind}: ${load.handled} of ${load.sent} handled by ${this.#alive.length} members`);
    }
    await playing;
    await this.#settle();
    await Promise.all(this.#alive.map((member) => member.stop()));
    const deadLetters = await this.#readDeadLetters();
    const journals = this.#members.map((member) => member.journal());
    const effects = await database?.written();
    const verdict = judge({
      sent: load.sent,
      journals,
      deadLetters,
      kills: this.#kills,
      deadline: this.#deadline,
      ...(effects === undefined ? {} : { effects }),
    });
    return {
      ...verdict,
      sent: load.sent,
      deadLetters: deadLetters.length,
      effects: effects?.length,
      faults: this.#done,
    };
  }

  async end(): Promise<void> {
    await Promise.all(this.#alive.map((member) => member.kill()));
    await Promise.all([this.#load.end(), this.#admin.disconnect()]);
    if (this.#options.keep === undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  async #inflict({ kind, whom, duration }: Fault): Promise<void> {
    const alive = this.#alive;
    const member = alive[Math.floor(whom * alive.length)]!;
    const { proxy } = member;
    switch (kind) {
      case 'kill':
        await this.#kill(member);
        await this.#startMember();
        break;
      case 'pause':
        member.signal('SIGSTOP');
        await pause(duration);
        member.signal('SIGCONT');
        break;
      case 'cut':
      case 'stall':
      case 'delay':
        if (kind === 'cut') proxy.cut();
        else if (kind === 'stall') proxy.stall();
        else proxy.slow(duration / 10);
        await pause(duration);
        proxy.restore();
        break;
      case 'join':
        if (alive.length < 3) await this.#startMember();
        else await member.stop();
        break;
      case 'leave':
        if (alive.length > 1) await member.stop();
        else await this.#startMember();
        break;
      case 'broker':
        await this.#loseBroker(duration);
        break;
      case 'dead-letters':
        await this.#options.broker.takeDeadLetters(false);
        await pause(duration);
        await this.#options.broker.takeDeadLetters(true);
    }
  }

  async #kill(member: MemberProcess): Promise<void> {
    const from = now();
    await member.kill();
    this.#kills.push({ member: member.index, from, to: now() });
  }

  async #loseBroker(duration: number): Promise<void> {
    const { broker } = this.#options;
    if (broker.restart === undefined) {
      for (const { proxy } of this.#alive) proxy.cut();
      await pause(duration);
      for (const { proxy } of this.#alive) proxy.restore();
      return;
    }
    await this.#load.hold();
    try {
      await broker.restart();
    } finally {
      this.#load.goOn();
    }
  }

  /** Until the group has committed everything. */
  async #settle(): Promise<void> {
    const end = performance.now() + settlingTime;
    while (performance.now() < end) {
      if (await this.#isCommitted().catch(() => false)) return;
      await pause(200);
    }
    this.#options.log(`not all was committed within ${settlingTime / 1_000} s`);
  }

  async #isCommitted(): Promise<boolean> {
    const ends = await this.#admin.fetchTopicOffsets(this.#topic);
    const [committed] = await this.#admin.fetchOffsets({ groupId: 'faults', topics: [this.#topic] });
    return ends.every(({ partition, high }) =>
      committed?.partitions.some((each) => each.partition === partition && each.offset === high),
    );
  }

  async #readDeadLetters(): Promise<number[]> {
    const context = { clock: systemClock, logger: silentLogger };
    const connection = await kafkajsClient(this.#kafka).connect(context);
    const numbers: number[] = [];
    try {
      for (const range of (await connection.rangesOf(this.#deadLetterTopic)) ?? []) {
        for await (const { headers } of connection.read(range)) {
          const [, n] = [...headers].find(([name]) => name === 'n') ?? [];
          numbers.push(Number(n && Buffer.from(n).toString()));
        }
      }
    } finally {
      await connection.close();
    }
    return numbers;
  }

  async #startMember(): Promise<void> {
    const index = this.#members.length;
    const journal = join(this.#folder, `member-${index}`);
    const { inbox, rebalances } = this.#options;
    const settings = {
      journal,
      groupId: 'faults',
      rebalance: rebalances[index % rebalances.length] ?? 'eager',
      topic: this.#topic,
      sessionTimeout,
      deadline: this.#deadline,
      ...(inbox === undefined ? {} : { inbox }),
    };
    const done = (numbers: readonly number[]) => this.#load.done(numbers);
    this.#members.push(await MemberProcess.start(index, this.#options.broker, settings, done));
  }

  get #alive(): MemberProcess[] {
    return this.#members.filter(({ isGone }) => !isGone);
  }

  /** A transaction takes its time on a machine that is busy; an event that is late at every attempt is dead-lettered. */
  get #deadline(): number {
    return this.#options.inbox === undefined ? 300 : 2_000;
  }

  get #deadLetterTopic(): string {
    return `${this.#topic}.dead-letter`;
  }
}

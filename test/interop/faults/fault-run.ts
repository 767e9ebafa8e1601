import kafkajs, { type Admin, type Producer } from 'kafkajs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isSetAside, messageOf } from './events.js';
import { now } from './journal.js';
import { MemberProcess } from './member-process.js';
import { type Disruption, judge, type Verdict } from './oracle.js';
import { type Fault, type FaultKind, planOf } from './plan.js';

/** What a run needs of a broker, the embedded one or another. */
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
  /** Default all. */
  readonly kinds?: readonly FaultKind[];
  readonly broker: FaultyBroker;
  readonly log: (line: string) => void;
}

export interface FaultReport extends Verdict {
  readonly sent: number;
  readonly deadLetters: number;
  /** How many of each kind were done. */
  readonly faults: Readonly<Record<string, number>>;
}

/** The report in a line. */
export function shown(report: FaultReport): string {
  const { sent, deadLetters, faults, lost, misordered, besides, overtaken, explained, unexplained } = report;
  const count = Object.values(faults).reduce((sum, each) => sum + each, 0);
  const kinds = Object.entries(faults).map(([kind, times]) => `${times} ${kind}`);
  return (
    `${sent} events, ${count} faults (${kinds.join(', ')}): ${lost} lost, ${misordered} misordered, ` +
    `${besides} of one key at once, ${unexplained} doubled without a reason; ` +
    `${explained} doubled for one, ${overtaken} overtaken by a member that came after, ${deadLetters} dead letters`
  );
}

/** Whether everything was as it should be. */
export function isFlawless({ lost, misordered, besides, unexplained }: FaultReport): boolean {
  return lost + misordered + besides + unexplained === 0;
}

/** Times in milliseconds. */
const sessionTimeout = 4_000;
const backlog = 4_000;
const settlingTime = 90_000;

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
  readonly #folder = mkdtempSync(join(tmpdir(), 'busbar-faults-'));
  readonly #topic: string;
  readonly #kafka: kafkajs.Kafka;
  readonly #admin: Admin;
  readonly #producer: Producer;
  readonly #members: MemberProcess[] = [];
  readonly #disruptions: Disruption[] = [];
  readonly #done: Record<string, number> = {};
  #sent = 0;
  #setAside = 0;
  #isOver = false;
  #changed: (() => void)[] = [];
  /** Held while the broker is away: an event must not be sent twice. */
  #mayProduce: Promise<void> = Promise.resolve();
  #producing: Promise<unknown> = Promise.resolve();

  constructor(options: FaultRunOptions) {
    const { host, port } = options.broker;
    this.#options = options;
    this.#topic = 'faults';
    this.#kafka = new kafkajs.Kafka({
      brokers: [`${host}:${port}`],
      clientId: 'load',
      logLevel: kafkajs.logLevel.NOTHING,
      retry: { retries: 20, maxRetryTime: 1_000 },
    });
    this.#admin = this.#kafka.admin();
    this.#producer = this.#kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
  }

  async play(): Promise<FaultReport> {
    const { seed, faults, events, kinds, log } = this.#options;
    await this.#admin.connect();
    await this.#admin.createTopics({
      waitForLeaders: true,
      topics: [this.#topic, this.#deadLetterTopic].map((topic) => ({ topic, numPartitions: 6 })),
    });
    await this.#producer.connect();
    await this.#startMember();
    const producing = this.#produce(events);
    for (const fault of planOf(seed, faults, events, kinds)) {
      const from = this.#handled;
      await this.#until(
        () => this.#handled >= from + fault.after || this.#sent - this.#settled < 100,
        20_000,
      );
      await this.#inflict(fault);
      this.#done[fault.kind] = (this.#done[fault.kind] ?? 0) + 1;
      log(`${fault.kind}: ${this.#handled} of ${this.#sent} handled by ${this.#alive.length} members`);
    }
    await producing;
    await this.#settle();
    await Promise.all(this.#alive.map((member) => member.stop()));
    const deadLetters = await this.#readDeadLetters();
    const journals = this.#members.map((member) => member.journal());
    const verdict = judge({ sent: this.#sent, journals, deadLetters, disruptions: this.#disruptions });
    return { ...verdict, sent: this.#sent, deadLetters: deadLetters.length, faults: this.#done };
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#alive.map((member) => member.kill()));
    await Promise.all([this.#producer.disconnect(), this.#admin.disconnect()]);
    if (process.env['FAULTS_KEEP'] === undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  async #inflict({ kind, whom, duration }: Fault): Promise<void> {
    const alive = this.#alive;
    const member = alive[Math.floor(whom * alive.length)]!;
    const { proxy } = member;
    switch (kind) {
      case 'kill':
        await this.#disrupt(member.index, () => member.kill());
        await this.#startMember();
        break;
      case 'pause':
        await this.#disrupt(member.index, async () => {
          member.signal('SIGSTOP');
          await pause(duration);
          member.signal('SIGCONT');
        });
        break;
      case 'cut':
      case 'stall':
      case 'delay':
        await this.#disrupt(member.index, async () => {
          if (kind === 'cut') proxy.cut();
          else if (kind === 'stall') proxy.stall();
          else proxy.slow(duration / 10);
          await pause(duration);
          proxy.mend();
        });
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
        await this.#disrupt('all', () => this.#loseBroker(duration));
        break;
      case 'dead-letters':
        await this.#options.broker.takeDeadLetters(false);
        await pause(duration);
        await this.#options.broker.takeDeadLetters(true);
    }
  }

  async #loseBroker(duration: number): Promise<void> {
    const { broker } = this.#options;
    if (broker.restart === undefined) {
      for (const { proxy } of this.#alive) proxy.cut();
      await pause(duration);
      for (const { proxy } of this.#alive) proxy.mend();
      return;
    }
    let goOn: () => void = () => undefined;
    this.#mayProduce = new Promise<void>((resolve) => (goOn = resolve));
    await this.#producing;
    try {
      await broker.restart();
    } finally {
      goOn();
    }
  }

  async #disrupt(member: number | 'all', what: () => Promise<void>): Promise<void> {
    const from = now();
    await what();
    this.#disruptions.push({ member, from, to: now() });
  }

  /** As fast as it is handled, with a backlog. */
  async #produce(count: number): Promise<void> {
    const batch = 200;
    while (this.#sent < count && !this.#isOver) {
      await this.#until(() => this.#sent - this.#settled < backlog || this.#isOver);
      await this.#mayProduce;
      const messages = Array.from({ length: Math.min(batch, count - this.#sent) }, (_, n) =>
        messageOf(this.#sent + n),
      );
      this.#producing = this.#producer.send({ topic: this.#topic, acks: -1, messages });
      await this.#producing;
      for (let n = 0; n < messages.length; n++) if (isSetAside(this.#sent + n)) this.#setAside++;
      this.#sent += messages.length;
      this.#tell();
    }
  }

  /** Until the group has committed everything. */
  async #settle(): Promise<void> {
    const end = performance.now() + settlingTime;
    while (performance.now() < end) {
      const ends = await this.#admin.fetchTopicOffsets(this.#topic);
      const [committed] = await this.#admin.fetchOffsets({ groupId: 'faults', topics: [this.#topic] });
      const isDone = ends.every(({ partition, high }) =>
        committed?.partitions.some((each) => each.partition === partition && each.offset === high),
      );
      if (isDone) return;
      await pause(200);
    }
    this.#options.log(`not all was committed within ${settlingTime / 1_000} s`);
  }

  async #readDeadLetters(): Promise<number[]> {
    const ends = await this.#admin.fetchTopicOffsets(this.#deadLetterTopic);
    const left = new Map(ends.map(({ partition, high }) => [partition, Number(high)]));
    const numbers: number[] = [];
    const consumer = this.#kafka.consumer({ groupId: 'reader' });
    await consumer.connect();
    await consumer.subscribe({ topic: this.#deadLetterTopic, fromBeginning: true });
    const isComplete = () => [...left.values()].every((count) => count <= 0);
    await consumer.run({
      eachMessage: async ({ partition, message }) => {
        numbers.push(Number(message.headers?.['n']));
        left.set(partition, Number(left.get(partition)) - 1);
        this.#tell();
      },
    });
    await this.#until(isComplete, 30_000);
    await consumer.disconnect();
    return numbers;
  }

  async #startMember(): Promise<void> {
    const index = this.#members.length;
    const journal = join(this.#folder, `member-${index}`);
    const settings = { journal, groupId: 'faults', topic: this.#topic, sessionTimeout };
    this.#members.push(await MemberProcess.start(index, this.#options.broker, settings, () => this.#tell()));
  }

  get #alive(): MemberProcess[] {
    return this.#members.filter(({ isGone }) => !isGone);
  }

  get #handled(): number {
    return this.#members.reduce((sum, { handled }) => sum + handled, 0);
  }

  get #settled(): number {
    return this.#handled + this.#setAside;
  }

  get #deadLetterTopic(): string {
    return `${this.#topic}.dead-letter`;
  }

  #tell(): void {
    for (const resolve of this.#changed.splice(0)) resolve();
  }

  /** Resolves when it is so, or after so many milliseconds. */
  async #until(isSo: () => boolean, limit = Number.POSITIVE_INFINITY): Promise<void> {
    const end = performance.now() + limit;
    while (!isSo() && performance.now() < end) {
      const timeout = new AbortController();
      await Promise.race([
        new Promise<void>((resolve) => this.#changed.push(resolve)),
        pause(1_000, undefined, { signal: timeout.signal }).catch(() => undefined),
      ]);
      timeout.abort();
    }
  }
}

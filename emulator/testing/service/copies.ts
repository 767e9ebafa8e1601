import { randomInt } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { BusbarError, isOurs, listen, readDuration, silentLogger } from 'busbar/base';
import { type EmbeddedBroker, startEmbeddedBroker } from '../../broker/start.js';
import type { RecordPosition } from '../../broker/faults/rules.js';
import { lagOf } from '../../broker/consumer-lag.js';
import type { Plan } from '../../run/plan.js';
import { asUnknownEvent, type Delivery } from '../verify/delivery.js';
import { FakeRestApi } from '../verify/fake-rest-api.js';
import type { Observed } from '../verify/households.js';
import type { Budget } from './budget.js';
import type { LoadedServiceContract } from './contract.js';
import type { Guard } from './guard.js';
import { Observer } from './observe/index.js';
import { fill, type Values } from './placeholders.js';
import { type Exit, ServiceProcess } from './process.js';
import { Proxy } from './proxy.js';
import { isReady, requireFree } from './ready.js';
import { outputOf } from './run-program.js';

/** Everything that copies of one service share. */
export interface ServiceSetup extends LoadedServiceContract {
  readonly guard: Guard;
  readonly seed: number;
  /** World of all REST APIs, and its time. */
  readonly plan: Plan;
  readonly now: number;
  /** Free numbers of copies. */
  readonly slots: Slots;
  readonly budget: Budget;
  readonly learned: {
    /** Longest time without progress, in milliseconds. */
    handlerTimeout: number;
    /** Longest time from a commit to its last effect, in milliseconds. */
    lag: number;
    /** Longest time of a start, in milliseconds. */
    start: number;
    hasObserved: boolean;
    /** Other groups of the service, e.g. of retry topics, and whether they consume everything without faults. */
    readonly otherGroups: Map<string, boolean>;
  };
}

/** Numbers from 1 to `copies`, each lent to one copy at a time. */
export class Slots {
  readonly #free: number[];
  readonly #waiting: ((slot: number) => void)[] = [];

  constructor(count: number) {
    this.#free = Array.from({ length: count }, (_, index) => index + 1);
  }

  async take(): Promise<number> {
    return this.#free.shift() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  give(slot: number): void {
    const next = this.#waiting.shift();
    if (next) next(slot);
    else this.#free.push(slot);
  }
}

type Environment = Readonly<Record<string, string>>;

/** One process of a copy, which is started again after each end. */
export interface Instance {
  readonly values: Values;
  process: ServiceProcess;
  /** Whether the supervisor starts the process again. */
  isWanted: boolean;
}

/** The records when a process ended. */
interface End {
  readonly sent: number;
  /** Number of the first ones whose work had ended before. */
  readonly settled: number;
  /** Offset behind the last committed record of each partition. */
  readonly committed: Readonly<Record<string, number>>;
}

/** A busy machine starts a process more slowly than an idle one. */
const startMargin = 3;

/** Most restarts without a commit between them. */
const maxRestarts = 20;

/** A service with an empty state and a broker of its own. */
export class Copy {
  readonly setup: ServiceSetup;
  readonly broker: EmbeddedBroker;
  readonly rest: FakeRestApi;
  readonly proxies = new Map<string, Proxy>();
  readonly instances: Instance[] = [];
  /** Ends of processes that verify did not cause. */
  readonly exits: Exit[] = [];
  /** Whether a process ended too often, or one that must not. */
  isGivenUp = false;
  /** Time of the last commit, by `performance.now()`, and number of commits. */
  readonly commits = { last: 0, count: 0 };
  /** Progress at the last start of a process. */
  #atStart = '';
  /** Called when the response to a commit has left. */
  afterCommit: () => void = () => undefined;
  readonly #sent: (RecordPosition & { readonly delivery: Delivery })[] = [];
  /** Ids of events whose work was tried again without a restart. */
  readonly retried = new Set<string>();
  readonly #ends: End[] = [];
  /** Number of the first sent records on which no work is left. */
  #settled = 0;
  readonly #slot: number;
  readonly #folder: string;
  readonly #observer: Observer;
  readonly #environment: Environment;
  #restarts = 0;

  private constructor(
    setup: ServiceSetup,
    slot: number,
    folder: string,
    broker: EmbeddedBroker,
    environment: Environment,
  ) {
    this.setup = setup;
    this.#environment = environment;
    this.broker = broker;
    this.#slot = slot;
    this.#folder = folder;
    this.#observer = new Observer(setup.contract, setup.folder);
    this.rest = new FakeRestApi(setup.seed);
    this.rest.answerFrom(setup.plan, { now: () => setup.now });
    broker.onCommit((group) => {
      if (group !== setup.contract.group) return;
      this.commits.last = performance.now();
      this.commits.count += 1;
      this.#restarts = 0;
      // The response leaves first.
      setImmediate(() => this.afterCommit());
    });
  }

  /**
   * Starts a service with an empty state, and waits until it is ready.
   * @param environment Variables of its processes, unless the contract sets them.
   * @throws BusbarError `invalid-option` for a service that does not start or get ready
   */
  static async open(setup: ServiceSetup, environment: Environment = {}): Promise<Copy> {
    const { contract, guard, slots, seed } = setup;
    const slot = await slots.take();
    const folder = join(guard.folder, `copy-${slot}-${(copies += 1)}`);
    await mkdir(folder);
    const topics = contract.topics.map((name) => ({ name, partitions: contract.partitions }));
    const options = { port: 0, topics, seed, maxFetchWaitMs: 100, logger: silentLogger };
    const copy = new Copy(setup, slot, folder, await startEmbeddedBroker(options), environment);
    try {
      for (const [name, target] of Object.entries(contract.proxies ?? {})) {
        copy.proxies.set(name, await Proxy.open(target));
      }
      const { reset } = contract;
      if (typeof reset === 'object' && 'command' in reset) await copy.#resetByCommand(reset.command);
      const instance = await copy.startInstance();
      if (typeof reset === 'object' && 'http' in reset) await resetByHttp(fill(reset.http, instance.values));
      return copy;
    } catch (error) {
      await copy.close();
      throw error;
    }
  }

  /** Reads the state by the first instance that runs. @throws BusbarError `invalid-option` */
  observe(): Promise<Observed> {
    const running = this.instances.find(({ process }) => process.isRunning);
    const values = (running ?? this.instances[0])?.values ?? {};
    return this.#observer.read(values);
  }

  /** Returns the positions of the next records. All records of a household are in one partition. */
  positionsOf(deliveries: readonly Delivery[]): RecordPosition[] {
    const [topic = ''] = this.setup.contract.topics;
    const { partitions = [] } = this.broker.inspect().topics.find(({ name }) => name === topic) ?? {};
    const ends = partitions.map(({ endOffset }) => endOffset);
    return deliveries.map(({ sent: { cell } }) => {
      const partition = cell % ends.length;
      const offset = ends[partition] ?? 0;
      ends[partition] = offset + 1;
      return { topic, partition, offset };
    });
  }

  send(deliveries: readonly Delivery[]): RecordPosition[] {
    const positions = this.positionsOf(deliveries);
    const records = deliveries.map(({ sent: { key, bytes, headers } }, index) => ({
      key,
      value: bytes.length === 0 ? null : bytes,
      headers,
      partition: positions[index]?.partition ?? 0,
    }));
    this.broker.append(this.setup.contract.topics[0] ?? '', records);
    for (const [index, position] of positions.entries())
      this.#sent.push({ ...position, delivery: deliveries[index] as Delivery });
    return positions;
  }

  /**
   * Appends a record without effect to each partition that is behind. After a refused commit, a client may commit
   * handled records only with the next one.
   */
  nudge(): void {
    const behind = this.lag().flatMap((each) => this.deliveryAt({ ...each, offset: each.end - 1 }) ?? []);
    this.send(behind.map(({ sent }) => ({ sent: asUnknownEvent(sent, {}), faults: [], origin: undefined })));
  }

  deliveryAt(position: RecordPosition): Delivery | undefined {
    return this.#sent.find(
      (each) => partitionOf(each) === partitionOf(position) && each.offset === position.offset,
    )?.delivery;
  }

  /** Notes that the work on all sent records has ended. */
  settle(): void {
    this.#settled = this.#sent.length;
  }

  /** Next record of each partition, at each end of a process. One of them was in hand. */
  get inHand(): readonly (readonly Delivery[])[] {
    return this.#ends.map(({ committed }) =>
      this.#sent
        .filter((each) => committed[partitionOf(each)] === each.offset)
        .map(({ delivery }) => delivery),
    );
  }

  /** Ids of the events that came again: a process neither ended nor committed their work, or tried it again. */
  get redelivered(): ReadonlySet<string> {
    const again = this.#sent.filter((each, nth) => {
      const ends = this.#ends.filter(({ sent, settled }) => settled <= nth && nth < sent);
      const isCommitted = ends.map(({ committed }) => (committed[partitionOf(each)] ?? 0) > each.offset);
      return ends.length > 0 && !isCommitted.includes(true);
    });
    return new Set([...again.map(({ delivery }) => delivery.sent.id), ...this.retried]);
  }

  /**
   * Calls a function at each step of the work that shows: a write to a file in `{dir}`, or a response through a proxy.
   * Returns a function that ends this.
   */
  onStep(listener: () => void): () => void {
    const watcher = watched(this.#folder, listener);
    for (const proxy of this.proxies.values()) proxy.onResponse = listener;
    return () => {
      watcher?.close();
      for (const proxy of this.proxies.values()) proxy.onResponse = () => undefined;
    };
  }

  /** Starts one more process, and waits until it is ready. @throws BusbarError `invalid-option` */
  async startInstance(): Promise<Instance> {
    const { contract, budget } = this.setup;
    const { group } = contract;
    const members = group === null ? 0 : membersOf(this.broker, group).length;
    const values = await this.#valuesFor(this.instances.length + 1);
    await requireFree(contract, values);
    const begun = performance.now();
    const instance: Instance = { values, process: await this.#start(values), isWanted: true };
    this.instances.push(instance);
    await isReady(this.broker, contract, instance, { members, budget });
    const { learned } = this.setup;
    learned.start = Math.max(learned.start, performance.now() - begun);
    void this.#supervise(instance);
    return instance;
  }

  /** Ends a process by a signal, without a restart. */
  async end(instance: Instance, signal: NodeJS.Signals): Promise<void> {
    const { contract, budget } = this.setup;
    const { within = '10s' } = contract.stop ?? {};
    instance.isWanted = false;
    await instance.process.stop(signal, Math.min(readDuration(within) ?? 0, budget.left));
    this.#noteEnd();
    this.evictEnded();
  }

  async restart(instance: Instance): Promise<void> {
    instance.process = await this.#start(instance.values);
    instance.isWanted = true;
    void this.#supervise(instance);
  }

  /** Returns the partitions with records that the group has not committed. */
  lag(): ReturnType<typeof lagOf> {
    const { group, topics } = this.setup.contract;
    return group === null ? [] : lagOf(this.broker.inspect(), group, topics);
  }

  /** A string that changes whenever the service fetches other records or commits other offsets. */
  get progress(): string {
    const { topics, groups } = this.broker.inspect();
    const fetched = topics.flatMap(({ partitions }) => partitions.map((each) => each.lastFetchOffset));
    const committed = groups.flatMap(({ offsets }) => offsets.map((each) => each.committed));
    return [...fetched, ...committed].join(' ');
  }

  /** Longest time without progress, in milliseconds. A process that starts may take longer than others did. */
  get patience(): number {
    const { handlerTimeout, start } = this.setup.learned;
    return this.progress === this.#atStart ? handlerTimeout + startMargin * start : handlerTimeout;
  }

  /** Removes members without a process: their sessions would last seconds more. */
  evictEnded(): void {
    if (this.instances.some(({ process }) => process.isRunning)) return;
    for (const { id } of this.broker.inspect().groups) this.broker.evict({ group: id });
  }

  async close(): Promise<void> {
    for (const instance of this.instances) {
      instance.isWanted = false;
      instance.process.kill('SIGKILL');
    }
    await Promise.all(this.instances.map(({ process }) => process.exited));
    await this.#observer.close();
    await this.broker.stop();
    await this.rest.stop();
    await Promise.all([...this.proxies.values()].map((proxy) => proxy.close()));
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    this.setup.slots.give(this.#slot);
  }

  #noteEnd(): void {
    const { topics } = this.broker.inspect();
    const ends = topics.flatMap(({ name: topic, partitions }) =>
      partitions.map(({ endOffset }, partition) => [partitionOf({ topic, partition }), endOffset] as const),
    );
    const behind = this.lag().map((each) => [partitionOf(each), each.committed ?? each.start] as const);
    const sent = this.#sent.length;
    this.#ends.push({ sent, settled: this.#settled, committed: Object.fromEntries([...ends, ...behind]) });
  }

  #start(values: Values): Promise<ServiceProcess> {
    const { contract, folder, guard } = this.setup;
    this.#atStart = this.progress;
    const env = { ...this.#environment, ...contract.start.env };
    return ServiceProcess.start({ ...contract.start, env }, { folder, values, guard });
  }

  /** Starts the process again after each end that verify did not cause, as a deployment does. */
  async #supervise(instance: Instance): Promise<void> {
    const { process } = instance;
    const exit = await process.exited;
    if (!instance.isWanted || instance.process !== process) return;
    this.exits.push(exit);
    this.#restarts += 1;
    this.evictEnded();
    this.isGivenUp ||= this.setup.contract.supervised === false || this.#restarts > maxRestarts;
    if (!this.isGivenUp) await this.restart(instance);
  }

  async #valuesFor(instance: number): Promise<Values> {
    const { url, apiKey } = await this.rest.restApi();
    const proxies = [...this.proxies].map(([name, { address }]) => [`proxy.${name}`, address] as const);
    return {
      brokers: this.broker.bootstrapServers,
      restUrl: url,
      restKey: apiKey,
      port: String(await freePort()),
      dir: this.#folder,
      copy: String(this.#slot),
      instance: String(instance),
      ...Object.fromEntries(proxies),
    };
  }

  async #resetByCommand(command: readonly string[]): Promise<void> {
    const options = { cwd: this.setup.folder, timeout: 60_000 };
    await outputOf(command, await this.#valuesFor(1), options).catch((error: unknown) => {
      const message = `The program of "reset": ${(error as Error).message}`;
      throw new BusbarError('invalid-option', message);
    });
  }
}

let copies = 0;

/** Returns undefined on a machine that has no watchers left. */
function watched(folder: string, listener: () => void): FSWatcher | undefined {
  try {
    return watch(folder, listener).on('error', () => undefined);
  } catch {
    return undefined;
  }
}

export function membersOf(broker: EmbeddedBroker, group: string): string[] {
  const found = broker.inspect().groups.find(({ id }) => id === group);
  return (found?.members ?? []).map(({ id }) => id);
}

function partitionOf({ topic, partition }: Omit<RecordPosition, 'offset'>): string {
  return `${topic}/${partition}`;
}

async function resetByHttp(url: string): Promise<void> {
  const response = await fetch(url, { method: 'POST' }).catch(() => undefined);
  if (response?.ok === true) return;
  const what = response === undefined ? 'nothing' : `status ${response.status}`;
  throw new BusbarError('invalid-option', `POST ${url} of "reset" returns ${what}. Correct "reset".`);
}

/**
 * Resolves to a free port on which a service can start again and again: no system gives these ports to outgoing
 * connections, one of which would keep the service from listening.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    const port = randomInt(20_000, 32_000);
    try {
      await listen(server, { port, host: '127.0.0.1', subject: 'Verify', option: 'port' });
    } catch (error) {
      if (isOurs(error) && error.code === 'port-in-use') continue;
      throw error;
    }
    await new Promise((done) => server.close(done));
    return port;
  }
}

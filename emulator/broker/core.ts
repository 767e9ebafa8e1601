import { BusbarError, type Clock, type Logger } from 'busbar/base';
import { ClosedConnections } from './closed-connections.js';
import { Connections } from './connections.js';
import { Groups } from './groups/groups.js';
import type { InterceptedRequest, Interceptor } from './intercept.js';
import { LongPolls } from './long-polls.js';
import { type BrokerOptions, type Settings, settingsFrom } from './options.js';
import { configProblem } from './topics/topic-config.js';
import { Topics } from './topics/topics.js';

/** The broker's state, which requests read and change. The APIs import it, so it imports none of them. */
export class BrokerCore {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly topics: Topics;
  readonly groups: Groups;
  faultFor: Interceptor = () => undefined;
  readonly longPolls = new LongPolls();
  readonly closedConnections: ClosedConnections;
  readonly connections: Connections;
  readonly #commitListeners = new Set<(groupId: string) => void>();
  readonly #requestListeners = new Set<(request: InterceptedRequest) => void>();
  #producerIds = 0;

  /**
   * @param options validated options
   * @throws BusbarError `invalid-option` for a topic that Kafka would refuse
   */
  constructor(options: BrokerOptions = {}) {
    this.settings = settingsFrom(options);
    this.clock = this.settings.clock;
    this.logger = this.settings.logger;
    this.closedConnections = new ClosedConnections(this.settings);
    this.connections = new Connections(this.settings, this.closedConnections);
    this.topics = new Topics(this.settings);
    this.groups = new Groups(this.settings, {
      rebalance: (member) => this.longPolls.end(member),
      commit: (groupId) => {
        for (const listener of this.#commitListeners) listener(groupId);
      },
    });
    for (const { name, partitions = 1, config = {} } of options.topics ?? []) {
      const configs = Object.entries(config);
      const problem =
        this.topics.problem(name, partitions) ??
        configs.map((entry) => configProblem(...entry)).find((found) => found !== undefined);
      if (problem) {
        const message = `The topic "${name}" cannot be created. ${problem.errorMessage}`;
        throw new BusbarError('invalid-option', message);
      }
      this.topics.create(name, partitions, configs);
    }
  }

  /**
   * Calls `listener` with the group's id after each offset that a group has committed.
   *
   * @returns a function that removes the listener
   */
  onCommit(listener: (groupId: string) => void): () => void {
    this.#commitListeners.add(listener);
    return () => void this.#commitListeners.delete(listener);
  }

  /**
   * Calls `listener` with each request before it is carried out.
   *
   * @returns a function that removes the listener
   */
  onRequest(listener: (request: InterceptedRequest) => void): () => void {
    this.#requestListeners.add(listener);
    return () => void this.#requestListeners.delete(listener);
  }

  requested(request: InterceptedRequest): void {
    for (const listener of this.#requestListeners) listener(request);
  }

  nextProducerId(): number {
    this.#producerIds += 1;
    return this.#producerIds;
  }
}

import { errorCodes } from '../../../kafka-protocol/error-codes.js';
import type { Broker, Cluster } from '../kafkajs/bridge.js';
import { Refused } from '../kafkajs/errors.js';
import { findCoordinator } from './positions.js';

/** Errors after which the coordinator is another broker. */
const moved: ReadonlySet<number> = new Set([errorCodes.notCoordinator, errorCodes.coordinatorNotAvailable]);

/** The broker that coordinates a group, wherever it is. */
export class Coordinator {
  readonly #cluster: Cluster;
  readonly #groupId: string;
  #broker: Promise<Broker> | undefined;

  constructor(cluster: Cluster, groupId: string) {
    this.#cluster = cluster;
    this.#groupId = groupId;
  }

  /** Sends to the coordinator of the group. Finds it again at once when it has moved. */
  async ask<T>(request: (coordinator: Broker) => Promise<T>): Promise<T> {
    for (let isSecond = false; ; isSecond = true) {
      const coordinator = await this.#find();
      try {
        return await request(coordinator);
      } catch (error) {
        const isRefused = error instanceof Refused;
        if (isRefused && !moved.has(error.code)) throw error;
        this.#broker = undefined;
        if (isSecond || !isRefused) throw error;
      }
    }
  }

  #find(): Promise<Broker> {
    this.#broker ??= findCoordinator(this.#cluster, this.#groupId).catch((error: unknown) => {
      this.#broker = undefined;
      throw error;
    });
    return this.#broker;
  }
}

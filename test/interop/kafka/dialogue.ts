import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { apis } from '../../../emulator/broker/apis/all.js';
import { type AnyResponse, WireClient } from '../../emulator/broker/wire-client.js';
import { Normaliser } from './normalise.js';

export type Body = Record<string, unknown>;

/** One step of the script as one broker answered it. */
export interface Step {
  readonly name: string;
  readonly answer: unknown;
}

const ANSWER_MS = 3000;
const SETTLE_MS = 60_000;

/**
 * A conversation with one broker, kept step by step. Topics and groups get names of their own through `named`, so that
 * a run leaves others' alone, and the kept answers are free of what differs from run to run.
 */
export class Dialogue {
  readonly steps: Step[] = [];
  readonly #address: { readonly host: string; readonly port: number };
  readonly #versions: ReadonlyMap<string, readonly number[]>;
  readonly #prefix: string;
  #normaliser: Normaliser;
  readonly #clients: WireClient[] = [];

  /** @param versions per API those that both brokers of a comparison serve */
  constructor(bootstrapServers: string, versions: ReadonlyMap<string, readonly number[]>) {
    this.#address = addressOf(bootstrapServers);
    this.#versions = versions;
    this.#prefix = `differential-${Date.now().toString(36)}`;
    this.#normaliser = new Normaliser(this.#prefix);
  }

  /** Ids are numbered afresh from here on, so that a difference in one part does not run through all others. */
  begin(): void {
    this.#normaliser = new Normaliser(this.#prefix);
  }

  named(name: string): string {
    return `${this.#prefix}.${name}`;
  }

  /** A further connection; what it is asked goes into the same conversation. */
  connect(): WireClient {
    const client = new WireClient(connect(this.#address));
    this.#clients.push(client);
    return client;
  }

  versionsOf(api: string): readonly number[] {
    return this.#versions.get(api) ?? [];
  }

  /** Asks, on a connection of its own unless one is given, and keeps the answer. */
  async step(
    name: string,
    api: string,
    body: Body,
    options: { readonly version?: number; readonly on?: WireClient } = {},
  ): Promise<AnyResponse> {
    const version = options.version ?? this.versionsOf(api).at(-1);
    if (version === undefined || !this.versionsOf(api).includes(version)) return undefined;
    const answer = await this.#ask(api, version, body, options.on);
    this.keep(`${name} (${api} v${version})`, answer);
    return answer;
  }

  /** The same step in every version that both brokers serve. */
  async inEveryVersion(name: string, api: string, bodyOf: (version: number) => Body): Promise<void> {
    for (const version of this.versionsOf(api)) await this.step(name, api, bodyOf(version), { version });
  }

  /** Asks without keeping the answer, for what only prepares a step. */
  async ask(api: string, body: Body, on?: WireClient): Promise<AnyResponse> {
    return this.#ask(api, this.versionsOf(api).at(-1) ?? 0, body, on);
  }

  /** Asks again and again until the answer is as wanted: Kafka carries many things out after it has answered. */
  async settle(
    what: string,
    api: string,
    body: Body,
    isReached: (answer: AnyResponse) => boolean,
  ): Promise<void> {
    const end = Date.now() + SETTLE_MS;
    while (!isReached(await this.ask(api, body))) {
      if (Date.now() > end) throw new Error(`${what}: not reached in ${SETTLE_MS / 1000} s`);
      await pause(20);
    }
  }

  keep(name: string, answer: unknown): void {
    if (this.steps.some((step) => step.name === name)) throw new Error(`two steps are named "${name}"`);
    this.steps.push({ name, answer: this.#normaliser.normalise(answer) });
  }

  close(): void {
    for (const client of this.#clients.splice(0)) client.close();
  }

  async #ask(api: string, version: number, body: Body, on?: WireClient): Promise<unknown> {
    const client = on ?? this.connect();
    const timeout = new AbortController();
    try {
      return await Promise.race([
        client.request(keyOf(api), version, body).then((answer: unknown) => answer ?? 'connection closed'),
        pause(ANSWER_MS, 'no answer', { signal: timeout.signal }),
      ]);
    } catch (error) {
      return `undecodable: ${String(error)}`;
    } finally {
      timeout.abort();
      if (!on) {
        client.close();
        this.#clients.splice(this.#clients.indexOf(client), 1);
      }
    }
  }
}

export function addressOf(bootstrapServers: string): { host: string; port: number } {
  const [first = ''] = bootstrapServers.split(',');
  const colon = first.lastIndexOf(':');
  return { host: first.slice(0, colon), port: Number(first.slice(colon + 1)) };
}

/** By API name the versions that the broker serves and this repository's codec knows. */
export async function servedVersions(bootstrapServers: string): Promise<Map<string, number[]>> {
  const client = new WireClient(connect(addressOf(bootstrapServers)));
  const { apiKeys } = (await client.request(18, 0, {})) as {
    apiKeys: { apiKey: number; minVersion: number; maxVersion: number }[];
  };
  client.close();
  const served = new Map<string, number[]>();
  for (const { apiKey, minVersion, maxVersion } of apiKeys) {
    const api = apis.get(apiKey);
    if (!api) continue;
    const versions = [];
    for (let version = minVersion; version <= maxVersion; version += 1) {
      if (version >= api.minVersion && version <= api.maxVersion && api.serves(version))
        versions.push(version);
    }
    served.set(api.name, versions);
  }
  return served;
}

function keyOf(name: string): number {
  for (const api of apis.values()) if (api.name === name) return api.key;
  throw new Error(`there is no API "${name}"`);
}

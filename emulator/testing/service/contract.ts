import type { BenchWorld } from '../bench-world.js';
import type { ConsumerSource, ContractOptions } from '../verify/contract.js';
import type { Observed } from '../verify/households.js';
import { usesPlaceholder } from './placeholders.js';

/** One table of a service's state. Exactly one of `http`, `sqlite`, `postgres` and `command` is set. */
export interface ObservedTable {
  readonly http?: string;
  /** Path of the database file. Needs Node 22.13 or later. */
  readonly sqlite?: string;
  /** Address of the database. Needs the package `pg`. */
  readonly postgres?: string;
  /** Program that prints JSON. */
  readonly command?: readonly string[];
  /** SQL query, with `sqlite` and `postgres`. */
  readonly query?: string;
  /** Field that names a row in messages. */
  readonly key?: string;
  /** Whether the order of rows counts. Default false. */
  readonly ordered?: boolean;
  /** Fields to leave out. */
  readonly ignore?: readonly string[];
}

/** A service in any language: how it starts, what it consumes, and where its state is. */
export interface ServiceContract {
  readonly $schema?: string;
  /** Program and arguments, without a shell. */
  readonly start: {
    readonly command: readonly string[];
    /** Working folder, relative to the contract. Default: the contract's folder. */
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
  };
  /** At most one of `http`, `tcp` and `log`. Default: all members of the group have fetched. */
  readonly ready?: {
    readonly http?: string;
    readonly tcp?: string;
    readonly log?: string;
    /** Default `30s`. */
    readonly timeout?: string;
  };
  /** Default: SIGTERM, and SIGKILL after `10s`. */
  readonly stop?: { readonly signal?: 'SIGTERM' | 'SIGINT' | 'SIGQUIT'; readonly within?: string };
  /** Consumer group, or null for a service that stores offsets itself. */
  readonly group: string | null;
  /** Default `['platform.events']`. Events go to the first topic. */
  readonly topics?: readonly string[];
  /** Partitions of each topic. Default 6. */
  readonly partitions?: number;
  /** Handled events, e.g. `billing.final_bill-v1`. */
  readonly events?: readonly string[];
  /** Scenarios to play. Default: those that send the handled events. */
  readonly scenarios?: readonly string[];
  readonly observe: Readonly<Record<string, ObservedTable>>;
  readonly reset: 'fresh-dir' | { readonly http: string } | { readonly command: readonly string[] };
  /**
   * Dependencies by name, e.g. `{ database: '127.0.0.1:5432' }`. The check `dependencies` cuts and slows them, and loses
   * single responses.
   */
  readonly proxies?: Readonly<Record<string, string>>;
  /** Whether an exit is followed by a restart. Default true. */
  readonly supervised?: boolean;
  /** Services side by side. Default 4, or 1 if the contract uses none of `{dir}`, `{copy}` and `{port}`. */
  readonly copies?: number;
  /** Longest time without progress. Default: four times the baseline, at least `10s`. */
  readonly handlerTimeout?: string;
  /** Seed of scenarios and faults. Default 1. */
  readonly seed?: number;
  /** Returns the part of the state to compare with {@link ServiceContract.expected}. Default: the whole state. */
  readonly projection?: (state: Observed) => unknown;
  /** Returns the expected projection from the ground truth. */
  readonly expected?: (world: BenchWorld) => unknown;
}

/** A consumer that runs in this process. */
export interface ConsumerContract extends ContractOptions {
  readonly consumer: ConsumerSource;
}

/** A contract of {@link ServiceContract}, or without `start`, of a consumer in this process. */
export type Contract = ServiceContract | ConsumerContract;

/** Returns the contract, checked by the compiler. */
export function defineContract<C extends Contract>(contract: C): C {
  return contract;
}

/** A contract with the defaults filled in. */
export type ReadServiceContract = ServiceContract & Required<Pick<ServiceContract, 'topics' | 'partitions'>>;

/** A contract, and the folder that its paths are relative to. */
export interface LoadedServiceContract {
  readonly contract: ReadServiceContract;
  readonly folder: string;
}

/** Returns the number of services that may run side by side. */
export function copiesOf(contract: ServiceContract): number {
  const { copies, start, observe, reset } = contract;
  const isFixed = !usesPlaceholder({ start, observe, reset }, ['dir', 'copy', 'port']);
  return copies ?? (isFixed ? 1 : 4);
}

import { grouped } from 'busbar/base';
import type { FaultRule } from '../../broker/faults/rules.js';
import type { RandomStream } from '../../engine/random.js';
import type { ServiceContract } from './contract.js';
import type { ProxyFault } from './proxy.js';
import type { ServiceWorld } from './world.js';
import type { DiagnosisName } from '../verify/causes.js';
import { type Delivery, withoutFaults } from '../verify/delivery.js';
import type { RestFault } from '../verify/fake-rest-api.js';

/** Faults around the handling of records. */
export interface ServiceFaults {
  /** Kills at the commit of the record that is marked {@link target}. */
  readonly kill: 'before its commit' | 'after its commit';
  /** Sends a signal at points of the work, each on a part of the records. */
  readonly atWork: { readonly signal: 'SIGKILL' | 'SIGTERM'; readonly at: readonly WorkPoint[] };
  /** Kills after so many commits, each time before the service hears of the last one. */
  readonly killAfterCommits: readonly number[];
  /** Restarts before the first record that is marked {@link later}. */
  readonly restart: true;
  /** The time zone of the processes, which start with it. */
  readonly timeZone: string;
  /** A second process joins, and leaves, with records in hand or without, is killed, or freezes until its session has expired. */
  readonly member: 'leaves' | 'leaves idle' | 'is killed' | 'freezes';
  /** Deletes the records that are marked {@link expired}. */
  readonly truncate: true;
  readonly broker: { readonly rule: FaultRule; readonly rejoins: boolean };
  readonly rest: RestFault;
  readonly proxy: { readonly name: string; readonly does: ProxyFault };
  /** Loses one of the responses, through a proxy, to the work on the record that is marked {@link unanswered}. */
  readonly response: { readonly proxy: string; readonly nth: number };
}

/**
 * A point of the work: so long, or so many steps, after a commit, or after records are sent to a service that commits
 * rarely. `commit` is the number of the commit since then.
 */
export type WorkPoint = { readonly commit?: number } & (
  | { readonly afterMs: number }
  | { readonly afterSteps: number }
);

export const target = 'killed here';
export const unanswered = 'a response lost here';
export const later = 'after a restart';
export const expired = 'expired';
export const version = 'one occurrence';

/** Returns the delivery with one more mark. */
export function marked(delivery: Delivery, ...marks: readonly string[]): Delivery {
  return { ...delivery, faults: [...delivery.faults, ...marks] };
}

/** Records of one or more households, and what goes wrong around them. */
export interface Experiment {
  /** Names what is tried, e.g. `killed before its commit`. */
  readonly label: string;
  /** The event that the fault is about, or the name of the fault. */
  readonly about: string;
  readonly deliveries: readonly Delivery[];
  /** At most one. */
  readonly fault?: Partial<ServiceFaults>;
  /**
   * What is wrong: another state than without the fault (default), a state as if the changed events had not come, or one
   * that counts both records with the mark {@link version}.
   */
  readonly wrongIf?: 'without effect' | 'counted twice';
  /** Diagnosis of a wrong state. Default: that of the part. */
  readonly diagnosis?: DiagnosisName;
  /** Whether the wrong state may be right for this service, and is only pointed out. */
  readonly isWarning?: boolean;
  /** Whether the fault is a damaged record, which a service may keep in a table of its own. */
  readonly isDamage?: boolean;
}

/** Returns the records that a run without faults receives instead. */
export function controlOf({ deliveries }: Experiment): readonly Delivery[] {
  return withoutFaults(deliveries.filter(({ faults }) => !faults.includes(expired)));
}

/** Returns the index of the first record that an outage hits. */
export function outageStart({ length }: readonly Delivery[]): number {
  return Math.floor(length / 2);
}

/**
 * Whether experiments share a process: all households at once, with the same fault around them, one after the other, or none
 * together.
 */
export type Sharing = 'together' | 'waves' | 'alone';

/** Experiments of a check, and how they share processes. */
export interface Part {
  readonly sharing: Sharing;
  readonly experiments: readonly Experiment[];
  /** Diagnosis of every failure. Default: explained by counterfactual runs. */
  readonly diagnosis?: DiagnosisName;
  /** Diagnosis of a service that stalls. Default `stalled`, or `leaves-group` if its group has no members. */
  readonly ifStalled?: DiagnosisName;
  /** Diagnosis of an event that is committed without its effect. Default `committed-before-work`. */
  readonly ifLost?: DiagnosisName;
}

/** Facts by which checks choose experiments. */
export interface CheckInput {
  readonly world: ServiceWorld;
  readonly contract: ServiceContract;
  readonly random: RandomStream;
  /** Time in which the baseline handled all households, in milliseconds. */
  readonly totalMs: number;
  /** Time from commit to commit; undefined for a service that commits rarely. */
  readonly commitMs: number | undefined;
  /** Steps of the work on a handled record, see {@link Copy.onStep}. A machine without watchers shows none. */
  readonly steps: number;
}

/** The test of a requirement on a service in processes of its own. */
export interface OverTheWire {
  readonly parts: (input: CheckInput) => readonly Part[] | Promise<readonly Part[]>;
  readonly whyNot?: (contract: ServiceContract) => string | undefined;
}

/** A household that no other experiment of the part uses, and an event in it. */
export interface Chosen {
  readonly cell: number;
  readonly deliveries: readonly Delivery[];
  /** Index of the event's first record. */
  readonly index: number;
  readonly delivery: Delivery;
}

/** Returns a function that finds an unused household with an event, and one that fits, in random order. */
export function chooser({ world, random }: CheckInput) {
  const cells = [...world.households.keys()];
  for (let index = cells.length - 1; index > 0; index -= 1) {
    const other = random.integer(0, index);
    [cells[index], cells[other]] = [cells[other] as number, cells[index] as number];
  }
  return (event?: string, fits: (chosen: Chosen) => boolean = () => true): Chosen | undefined => {
    for (const [place, cell] of cells.entries()) {
      const deliveries = world.households.get(cell) ?? [];
      const fitting = [...deliveries.entries()].filter(([, { sent }]) =>
        event === undefined ? world.handles(sent.name) : sent.name === event,
      );
      const found = fitting[random.integer(0, Math.max(0, fitting.length - 1))];
      if (found === undefined) continue;
      const [index, delivery] = found;
      const chosen = { cell, deliveries, index, delivery };
      if (!fits(chosen)) continue;
      cells.splice(place, 1);
      return chosen;
    }
    return undefined;
  };
}

/** Returns experiments for each round and exercised event, as far as there are households that they fit. */
export function perEvent<Round>(
  input: CheckInput,
  rounds: readonly Round[],
  experiment: (chosen: Chosen, round: Round) => Omit<Experiment, 'about'> | undefined,
): Experiment[] {
  const choose = chooser(input);
  return rounds.flatMap((round) =>
    input.world.exercised.flatMap((about) => {
      let made: Omit<Experiment, 'about'> | undefined;
      choose(about, (chosen) => (made = experiment(chosen, round)) !== undefined);
      return made === undefined ? [] : [{ about, ...made }];
    }),
  );
}

/** Mixes households as they would arrive, and keeps the order within each. */
export function interleaved(deliveries: readonly Delivery[]): Delivery[] {
  const cells = grouped(deliveries, ({ sent }) => sent.cell);
  const mixed: Delivery[] = [];
  for (let index = 0; mixed.length < deliveries.length; index += 1) {
    for (const own of cells.values()) {
      const next = own[index];
      if (next !== undefined) mixed.push(next);
    }
  }
  return mixed;
}

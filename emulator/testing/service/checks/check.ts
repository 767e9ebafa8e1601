import { type RandomStream, randomStream } from '../../../engine/random.js';
import type { DiagnosisName } from '../../verify/causes.js';
import type { Delivery } from '../../verify/delivery.js';
import type { ServiceContract } from '../contract.js';
import type { Experiment } from '../experiment.js';
import type { Sharing } from '../screen.js';
import type { ServiceWorld } from '../world.js';

/** Experiments of a check, and how they share processes. */
export interface Part {
  readonly sharing: Sharing;
  readonly experiments: readonly Experiment[];
  /** Diagnosis of every failure. Default: explained by counterfactual runs. */
  readonly diagnosis?: DiagnosisName;
  /** Diagnosis of a service that stalls. Default `stalled`. */
  readonly ifStalled?: DiagnosisName;
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
}

/** A requirement for services in processes of their own. */
export interface ServiceCheck {
  readonly name: string;
  readonly parts: (input: CheckInput) => readonly Part[] | Promise<readonly Part[]>;
  /** Returns why the check cannot run. */
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

/** Returns a function that finds an unused household with an event, in random order. */
export function chooser({ world, random }: CheckInput): (event?: string) => Chosen | undefined {
  const cells = [...world.households.keys()];
  for (let index = cells.length - 1; index > 0; index -= 1) {
    const other = random.integer(0, index);
    [cells[index], cells[other]] = [cells[other] as number, cells[index] as number];
  }
  return (event) => {
    for (const [place, cell] of cells.entries()) {
      const deliveries = world.households.get(cell) ?? [];
      const fitting = [...deliveries.entries()].filter(([, { sent }]) =>
        event === undefined ? world.handles(sent.name) : sent.name === event,
      );
      const found = fitting[random.integer(0, Math.max(0, fitting.length - 1))];
      if (found === undefined) continue;
      cells.splice(place, 1);
      const [index, delivery] = found;
      return { cell, deliveries, index, delivery };
    }
    return undefined;
  };
}

/** Returns experiments for each round and exercised event, as far as there are households. */
export function perEvent<Round>(
  input: CheckInput,
  rounds: readonly Round[],
  experiment: (chosen: Chosen, round: Round) => Omit<Experiment, 'about'> | undefined,
): Experiment[] {
  const choose = chooser(input);
  return rounds.flatMap((round) =>
    input.world.exercised.flatMap((about) => {
      const chosen = choose(about);
      const made = chosen && experiment(chosen, round);
      return made === undefined ? [] : [{ about, ...made }];
    }),
  );
}

export function inputOf(of: Omit<CheckInput, 'random'>, check: string): CheckInput {
  return { ...of, random: randomStream(of.contract.seed ?? 1, 'verify service', check) };
}

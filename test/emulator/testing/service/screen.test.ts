import { afterEach, expect, it, vi } from 'vitest';
import type { Experiment } from '../../../../emulator/testing/service/experiment.js';
import { Budget } from '../../../../emulator/testing/service/budget.js';
import type { ServiceSetup } from '../../../../emulator/testing/service/copies.js';
import { screen } from '../../../../emulator/testing/service/screen.js';
import { Trials } from '../../../../emulator/testing/service/trials.js';
import type { ServiceWorld } from '../../../../emulator/testing/service/world.js';
import {
  type Delivery,
  occurrenceOf,
  sentEvent,
  untouched,
} from '../../../../emulator/testing/verify/delivery.js';

afterEach(() => vi.restoreAllMocks());

const cells = [1, 2, 3, 4];
const untroubled = { exits: [], redelivered: new Set<string>(), inHand: [] };

/** One occurrence in two versions, and a later event. */
function householdOf(cell: number): Delivery[] {
  return [
    ['v1', 'first'],
    ['v2', 'first'],
    ['v1', 'second'],
  ].map(([version = '', occurrence = ''], nth) => {
    const event = { name: `entry-${version}`, type: 'entry', version };
    const sent = sentEvent(event, {}, { nth, id: `${cell}-${nth}`, at: nth, key: null, cell });
    return untouched({ ...sent, headers: { 'occurrence-id': `${cell}-${occurrence}` } });
  });
}

/** Returns trials of a service that counts occurrences by household, unless it ignores the changed event. */
async function trialsOf(ignoresChanges: boolean) {
  const households = new Map(cells.map((cell) => [cell, householdOf(cell)]));
  const ownerOf = ({ cell }: Readonly<Record<string, unknown>>) => cell as number;
  const world = { households, ownerOf } as unknown as ServiceWorld;
  const trials = new Trials({ budget: new Budget(), contract: {} } as ServiceSetup, world);
  const run = vi.spyOn(trials, 'run').mockImplementation(async ({ deliveries }) => {
    const counted = deliveries.filter(({ faults }) => !ignoresChanges || faults.length === 0);
    const state = cells.map((cell) => {
      const own = counted.filter(({ sent }) => sent.cell === cell);
      return { cell, entries: new Set(own.map(occurrenceOf)).size };
    });
    return { state: { ledger: state }, isMet: true, ...untroubled };
  });
  trials.baseline = (await trials.run({ label: '', about: '', deliveries: [...households.values()].flat() }))
    .state!;
  run.mockClear();
  return { trials, run };
}

/** Changes one event of a household, the last that it receives. */
function changed(cell: number, nth: number): Experiment {
  const deliveries = householdOf(cell).slice(0, nth + 1);
  const last = deliveries[nth]!;
  const label = 'changed';
  return {
    label,
    about: last.sent.name,
    deliveries: deliveries.with(nth, { ...last, faults: [label] }),
    wrongIf: 'without effect',
  };
}

it('passes events whose unchanged form has no effect either, by one run for all', async () => {
  const { trials, run } = await trialsOf(false);
  const experiments = [changed(1, 1), changed(2, 1), changed(3, 0)];
  const screened = await screen(trials, experiments, 'together');
  expect(screened.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed']);
  expect(run).toHaveBeenCalledTimes(3);
});

it('suspects an event that has no effect in its changed form', async () => {
  const { trials } = await trialsOf(true);
  const screened = await screen(trials, [changed(1, 1), changed(2, 0), changed(3, 2)], 'together');
  expect(screened.map(({ status }) => status)).toEqual(['passed', 'suspect', 'suspect']);
});

it('tries each experiment alone if the service stalls at an unknown one', async () => {
  const stalling = async (isStalled: (deliveries: readonly Delivery[]) => boolean) => {
    const { trials, run } = await trialsOf(false);
    const counted = run.getMockImplementation()!;
    run.mockImplementation(async (experiment) => {
      const { state, ...outcome } = await counted(experiment);
      return isStalled(experiment.deliveries) ? outcome : { ...outcome, state: state! };
    });
    const experiments = [1, 2, 3].map((cell): Experiment => {
      const { wrongIf: _, ...experiment } = changed(cell, 1);
      return experiment;
    });
    return (await screen(trials, experiments, 'together')).map(({ status }) => status);
  };
  const changes = (deliveries: readonly Delivery[]) => deliveries.filter(({ faults }) => faults.length > 0);
  const atSecond = (deliveries: readonly Delivery[]) =>
    changes(deliveries).some(({ sent }) => sent.cell === 2);
  expect(await stalling(atSecond)).toEqual(['passed', 'suspect', 'passed']);
  const atSeveral = (deliveries: readonly Delivery[]) => changes(deliveries).length > 1;
  expect(await stalling(atSeveral)).toEqual(['suspect', 'suspect', 'suspect']);
});

it('passes no experiment alone whose fault the service never met', async () => {
  const { trials, run } = await trialsOf(false);
  const state = { ledger: trials.baseline['ledger']!.slice(0, 1) };
  run.mockImplementation(async () => ({ state, isMet: false, ...untroubled }));
  const deliveries = householdOf(1);
  const screened = await screen(trials, [{ label: 'killed', about: 'killed', deliveries }], 'alone');
  expect(screened).toMatchObject([{ status: 'not met' }]);
});

import { formatInstant } from '../../engine/time.js';
import { deviceModels, disconnectionCauses, fleets, targetTypes } from '../../world/vocabulary/flex.js';
import { achievable, deviceType, type Dispatch, optimisation } from '../facts/optimisation.js';
import type { Scene } from '../subject.js';
import type { Area } from './area.js';

/** Devices that charge when energy is cheap. Power is in watts, capacity in watt-hours, charge in percent. */
export const flex: Area = {
  fields: {
    property_id: (s) => s.integer('property'),
    device_id: (s) => s.uuid('device'),
    site_id: (s) => s.uuid('site'),
    device_type: deviceType,
    payload: (s) => (s.eventType.endsWith('registered') ? { ...s.random.pick(deviceModels) } : {}),
    begin: (s) => formatInstant(dispatch(s).begin),
    power: (s) => dispatch(s).power,
  },
  shapes: {
    Dispatch: { end: (s) => formatInstant(dispatch(s).end) },
    DeviceDisconnected: {
      cause: (s) => s.random.weighted(disconnectionCauses),
      disconnected_soc: (s) =>
        Math.min(100, Math.max(0, optimisation(s).achievable + s.random.integer(-1, 1))),
    },
    OptimisationCreated: {
      achievable_target_soc: planned,
      energy_capacity: (s) => optimisation(s).capacity,
      start_soc: (s) => optimisation(s).start,
      user_target_soc: (s) => optimisation(s).target,
      capped_target_soc: (s) => optimisation(s).capped,
      will_reach_target_soc: (s) => planned(s) >= optimisation(s).target,
      optimization_begin: (s) => formatInstant(optimisation(s).begin),
      optimization_end: (s) => formatInstant(optimisation(s).end),
      is_reoptimization: (s) => s.random.chance(0.3),
      force_v1g_charging: (s) => s.random.chance(0.03),
      fleet_id: (s) => s.random.pick(fleets),
      target_type: (s) => s.random.weighted(targetTypes),
      is_charge_duration_capped: (s) => s.random.chance(0.1),
      can_cap_charging_duration: (s) => s.random.chance(0.9),
      dispatch_times: (s) => optimisation(s).ready,
    },
  },
  counts: { dispatches: (s) => optimisation(s).dispatches.length },
};

/** Where the charge stops: with the dispatches of the plan, or with none of them. */
function planned(scene: Scene): number {
  const plan = optimisation(scene);
  return scene.hasLists ? plan.achievable : achievable({ ...plan, dispatches: [] });
}

function dispatch(scene: Scene): Dispatch {
  const { dispatches, end, begin } = optimisation(scene);
  return dispatches[scene.index] ?? { begin, end, power: 0 };
}

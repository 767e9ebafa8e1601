import { describe, expect, it } from 'vitest';
import { london } from '../../../emulator/engine/calendar.js';
import { hour, minute } from '../../../emulator/engine/time.js';
import { byCell, of, only } from './payloads.js';
import { play } from './play.js';

const charge = (branches: Record<string, string> = {}) =>
  play('flex-day', { seed: 12, instances: 80, branches });

describe('flex-day', () => {
  it('plans one to four dispatches on half hours before the ready time', async () => {
    for (const { payload: event } of of(await charge(), 'flex_device.optimisation_created', 'v1')) {
      const { dispatches, optimization_begin, optimization_end } = event.payload;
      expect(dispatches.length).toBeGreaterThanOrEqual(1);
      expect(dispatches.length).toBeLessThanOrEqual(4);
      let free = Date.parse(optimization_begin);
      for (const { begin, end, power } of dispatches) {
        expect(Date.parse(begin) % (30 * minute)).toBe(0);
        expect(Date.parse(end) % (30 * minute)).toBe(0);
        expect(Date.parse(begin)).toBeGreaterThanOrEqual(free);
        expect(Date.parse(end)).toBeGreaterThan(Date.parse(begin));
        expect(power).toBeGreaterThan(0);
        free = Date.parse(end);
      }
      expect(free).toBeLessThanOrEqual(Date.parse(optimization_end));
    }
  });

  it('promises the charge of its dispatches, at most the target', async () => {
    for (const { payload: event } of of(await charge(), 'flex_device.optimisation_created', 'v1')) {
      const plan = event.payload;
      const wattHours = plan.dispatches.reduce(
        (sum, { begin, end, power }) => sum + (power * (Date.parse(end) - Date.parse(begin)) * 0.92) / hour,
        0,
      );
      const possible = plan.start_soc + (wattHours * 100) / plan.energy_capacity;
      // What is in the battery is published in whole percent, rounded down.
      expect(plan.achievable_target_soc).toBeGreaterThanOrEqual(
        Math.min(plan.capped_target_soc, Math.floor(possible)),
      );
      expect(plan.achievable_target_soc).toBeLessThanOrEqual(
        Math.min(plan.capped_target_soc, Math.floor(possible + 1)),
      );
      const halfHourOfIt = ((plan.dispatches[0]?.power ?? 0) * 0.5 * 0.92 * 100) / plan.energy_capacity;
      expect(possible - halfHourOfIt, 'no half hour too many').toBeLessThan(plan.capped_target_soc);
      expect(plan.capped_target_soc).toBeLessThanOrEqual(plan.user_target_soc);
      expect(plan.is_charge_duration_capped).toBe(plan.capped_target_soc < plan.user_target_soc);
      if (plan.is_charge_duration_capped) expect(plan.can_cap_charging_duration).toBe(true);
      expect(plan.will_reach_target_soc).toBe(plan.achievable_target_soc >= plan.user_target_soc);
    }
  });

  it('replans from now on, with no less charge than before', async () => {
    let plans = 0;
    for (const events of byCell(await charge({ replanned: 'three-times', end: 'charged' }))) {
      const made = of(events, 'flex_device.optimisation_created', 'v1');
      plans += made.length;
      expect(made.map(({ payload }) => payload.payload.is_reoptimization)).toEqual(
        made.map((_, index) => index > 0),
      );
      let soc = 0;
      for (const { at, payload } of made) {
        const { start_soc, dispatches, optimization_begin } = payload.payload;
        expect(start_soc).toBeGreaterThanOrEqual(soc);
        expect(Math.abs(Date.parse(optimization_begin) - at)).toBeLessThan(10);
        for (const { begin } of dispatches) expect(Date.parse(begin)).toBeGreaterThanOrEqual(at - 10);
        soc = start_soc;
      }
      const disconnected = only(events, 'flex_device.disconnected', 'v1');
      expect(disconnected.payload.payload.disconnected_soc).toBeGreaterThanOrEqual(soc);
    }
    expect(plans).toBeGreaterThan(160);
  });

  it('ends with the promised charge unless it ends early', async () => {
    for (const events of byCell(await charge({ end: 'charged' }))) {
      const plan = of(events, 'flex_device.optimisation_created', 'v1').at(-1)?.payload.payload;
      const { payload } = only(events, 'flex_device.disconnected', 'v1').payload;
      expect(payload).toEqual({ cause: 'UNPLUGGED', disconnected_soc: plan?.achievable_target_soc });
    }
    for (const events of byCell(await charge({ end: 'connection-lost' }))) {
      const plan = of(events, 'flex_device.optimisation_created', 'v1').at(-1)?.payload.payload;
      const { payload } = only(events, 'flex_device.disconnected', 'v1').payload;
      expect(payload.cause).toBe('COMMUNICATION_ERROR');
      expect(payload.disconnected_soc).toBeLessThanOrEqual(plan?.achievable_target_soc ?? 0);
    }
  });

  it('starts in the evening, with one car at one home', async () => {
    for (const events of byCell(await charge())) {
      expect(london.next(events[0]?.at ?? 0, 'evening')).toBe(events[0]?.at);
      const devices = events.map(({ envelope }) => {
        const { account_number, property_id, device_id, site_id } = envelope.payload as Record<
          string,
          unknown
        >;
        return JSON.stringify([account_number, property_id, device_id, site_id]);
      });
      expect(new Set(devices).size).toBe(1);
      expect(events.at(-1)?.envelope.event_type).toBe('flex_device.disconnected');
    }
  });
});

describe('flex-register', () => {
  it('ends access to the same device at least a month later', async () => {
    const emissions = await play('flex-register', { seed: 2, instances: 20, branches: { access: 'lost' } });
    for (const events of byCell(emissions)) {
      const { payload: _, ...registered } = only(events, 'flex_device.registered', 'v1').payload;
      const lost = only(events, 'flex_device.deauthenticated', 'v1');
      expect(lost.payload).toMatchObject(registered);
      expect(lost.at - (events[0]?.at ?? 0)).toBeGreaterThanOrEqual(30 * 24 * hour);
    }
  });
});

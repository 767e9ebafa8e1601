import { comparing } from './comparing.js';
import type { Invariant, StreamEvent } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { asInstant, flag, identifier, instant, list, member, number } from './payload.js';

export const flexInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'device-in-order',
    statement:
      'A device is registered first, is planned any number of times and then disconnected, and has no events after its deauthentication.',
    entity: 'device',
    of: (event) => identifier(event, 'device_id'),
    begins: { 'flex_device.registered': 'idle' },
    moves: {
      'flex_device.optimisation_created': { from: ['idle', 'planned'], to: 'planned' },
      'flex_device.disconnected': { from: ['planned'], to: 'idle' },
      'flex_device.deauthenticated': { from: ['idle', 'planned'], to: 'gone' },
    },
  }),
  comparing<number>({
    name: 'charge-never-falls',
    statement:
      'The state of charge does not fall during a charging session: between plans, or until the disconnection.',
    entity: 'device',
    of: (event) => identifier(event, 'device_id'),
    see(event, before) {
      const percent = number(event, 'payload', 'start_soc') ?? number(event, 'payload', 'disconnected_soc');
      const isPlan = event.type === 'flex_device.optimisation_created';
      // The first plan of a session follows a drive, which uses charge.
      const isSameSession = isPlan
        ? flag(event, 'payload', 'is_reoptimization') === true
        : event.type === 'flex_device.disconnected';
      const falls = isSameSession && before !== undefined && percent !== undefined && percent < before;
      return { keep: isPlan ? percent : undefined, what: falls && 'has less charge than before' };
    },
  }),
  comparing<never>({
    name: 'dispatches-within-plan',
    statement: 'Dispatches are within their plan and do not overlap.',
    entity: 'device',
    of: (event) =>
      event.type === 'flex_device.optimisation_created' ? identifier(event, 'device_id') : undefined,
    see: (event) => ({
      what: !isWithinPlan(event) && 'has a dispatch outside its plan, or overlapping dispatches',
    }),
  }),
];

function isWithinPlan(event: StreamEvent): boolean {
  const end = instant(event, 'payload', 'optimization_end') ?? Infinity;
  let free = instant(event, 'payload', 'optimization_begin') ?? -Infinity;
  for (const dispatch of list(event, 'payload', 'dispatches')) {
    const [from, to] = [asInstant(member(dispatch, 'begin')), asInstant(member(dispatch, 'end'))];
    if (from === undefined || to === undefined) continue;
    if (from < free || to < from || to > end) return false;
    free = to;
  }
  return true;
}

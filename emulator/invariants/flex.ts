import type { Finding, Invariant, StreamEvent } from './invariant.js';
import { fine } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { Memory } from './memory.js';
import { asInstant, flag, identifier, instant, list, member, number, occurred } from './payload.js';

export const flexInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'device-in-order',
    statement:
      'A device is registered before anything else is said of it, planned for any number of times and then disconnected, and silent once it is deauthenticated.',
    entity: 'device',
    of: (event) => identifier(event, 'device_id'),
    begins: { 'flex_device.registered': 'idle' },
    moves: {
      'flex_device.optimisation_created': { from: ['idle', 'planned'], to: 'planned' },
      'flex_device.disconnected': { from: ['planned'], to: 'idle' },
      'flex_device.deauthenticated': { from: ['idle', 'planned'], to: 'gone' },
    },
  }),
  {
    name: 'charge-never-falls',
    statement:
      'The state of charge does not fall from one plan of a charging session to the next, nor to the disconnection.',
    proof: 'stream',
    start: watchCharge,
  },
  {
    name: 'dispatches-within-plan',
    statement: 'Dispatches lie between beginning and end of their plan, one after the other.',
    proof: 'stream',
    start: () => ({ see: checkDispatches }),
  },
];

function watchCharge() {
  const charges = new Memory<{ readonly percent: number; readonly at: number }>();
  function see(event: StreamEvent): readonly Finding[] {
    const id = identifier(event, 'device_id');
    if (id === undefined) return fine;
    const at = occurred(event);
    const before = charges.get(id);
    if (before !== undefined && at < before.at) return fine;
    const percent = number(event, 'payload', 'start_soc') ?? number(event, 'payload', 'disconnected_soc');
    const isPlan = event.type === 'flex_device.optimisation_created';
    // The first plan after the car was driven begins where the drive ended.
    const isSameSession = isPlan
      ? flag(event, 'payload', 'is_reoptimization') === true
      : event.type === 'flex_device.disconnected';
    if (isPlan && percent !== undefined) charges.set(id, { percent, at });
    else charges.forget(id);
    if (!isSameSession || before === undefined || percent === undefined || percent >= before.percent) {
      return fine;
    }
    return [{ event, entity: `device "${id}"`, what: 'has less charge than before' }];
  }
  return { see };
}

function checkDispatches(event: StreamEvent): readonly Finding[] {
  if (event.type !== 'flex_device.optimisation_created') return fine;
  const id = identifier(event, 'device_id') ?? '';
  const end = instant(event, 'payload', 'optimization_end') ?? Infinity;
  let free = instant(event, 'payload', 'optimization_begin') ?? -Infinity;
  for (const dispatch of list(event, 'payload', 'dispatches')) {
    const [from, to] = [asInstant(member(dispatch, 'begin')), asInstant(member(dispatch, 'end'))];
    if (from === undefined || to === undefined) continue;
    if (from < free || to < from || to > end) {
      return [{ event, entity: `device "${id}"`, what: 'has a dispatch outside its plan or over another' }];
    }
    free = to;
  }
  return fine;
}

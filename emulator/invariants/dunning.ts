import { comparing } from './comparing.js';
import { type Invariant, unlessFiltered } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { identifier } from './payload.js';

export const dunningInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'dunning-in-order',
    statement: 'A dunning process is started, paused and unpaused any number of times, then withdrawn.',
    entity: 'dunning process',
    of: (event) => identifier(event, 'dunning_process_id'),
    begins: { dunning_path_started: 'running' },
    moves: {
      dunning_path_paused: { from: ['running'], to: 'paused' },
      dunning_path_unpaused: { from: ['paused'], to: 'running' },
      dunning_path_withdrawn: { from: ['running', 'paused'], to: 'withdrawn' },
    },
  }),
  comparing<string>({
    name: 'one-dunning-process',
    statement:
      'An account has at most one dunning process at a time, with one `dunning_process_id` from start to withdrawal.',
    entity: 'account',
    of: (event) => (event.type.startsWith('dunning_path_') ? identifier(event, 'account_number') : undefined),
    see(event, open) {
      const id = identifier(event, 'dunning_process_id');
      if (id === undefined) return {};
      const isEnd = event.type === 'dunning_path_withdrawn';
      const keep = isEnd ? (open === id ? undefined : open) : id;
      if (open === undefined || open === id) return { keep };
      const certain = unlessFiltered('dunning_path_withdrawn');
      return { keep, entity: `dunning process "${id}"`, what: 'overlaps another of its account', certain };
    },
  }),
  lifecycle({
    name: 'collection-in-order',
    statement:
      'A collection process is raised, may be paused and unpaused, and may request the end of supply. After its withdrawal it can only be reactivated.',
    entity: 'collection process',
    of: (event) => identifier(event, 'number') ?? identifier(event, 'collection_process_number'),
    begins: { 'collection_process.raised': 'raised' },
    moves: {
      'collection_process.comm_step_resolved': { from: ['raised', 'paused', 'terminating'] },
      'collection_process.paused': { from: ['raised', 'terminating'], to: 'paused' },
      'collection_process.unpaused': { from: ['paused'], to: 'raised' },
      'collection_process.run_termination_requested': { from: ['raised'], to: 'terminating' },
      'collection_process.leave_supplier_instigated': { from: ['terminating'] },
      'collection_process.reactivated': { from: ['terminating', 'withdrawn'], to: 'raised' },
      'collection_process.withdrawn': { from: ['raised', 'paused', 'terminating'], to: 'withdrawn' },
    },
  }),
];

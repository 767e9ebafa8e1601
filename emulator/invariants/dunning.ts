import type { Finding, Invariant, StreamEvent } from './invariant.js';
import { fine, unlessFiltered } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { Memory } from './memory.js';
import { identifier, occurred } from './payload.js';

export const dunningInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'dunning-in-order',
    statement:
      'A dunning process is started, then paused and unpaused any number of times in turn, then withdrawn.',
    entity: 'dunning process',
    of: (event) => identifier(event, 'dunning_process_id'),
    begins: { dunning_path_started: 'running' },
    moves: {
      dunning_path_paused: { from: ['running'], to: 'paused' },
      dunning_path_unpaused: { from: ['paused'], to: 'running' },
      dunning_path_withdrawn: { from: ['running', 'paused'], to: 'withdrawn' },
    },
  }),
  {
    name: 'one-dunning-process',
    statement:
      'From its start to its withdrawal, a dunning process of an account keeps its `dunning_process_id`: the account has no other one.',
    proof: 'stream',
    start: watchProcesses,
  },
  lifecycle({
    name: 'collection-in-order',
    statement:
      'A collection process is raised, paused and unpaused in turn, and perhaps asked to end the supply; after it was withdrawn nothing but a reactivation comes.',
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

const steps: readonly string[] = [
  'dunning_path_started',
  'dunning_path_paused',
  'dunning_path_unpaused',
  'dunning_path_withdrawn',
];

function watchProcesses() {
  const open = new Memory<{ readonly id: string; readonly at: number }>();
  function see(event: StreamEvent): readonly Finding[] {
    const account = identifier(event, 'account_number');
    const id = identifier(event, 'dunning_process_id');
    if (!steps.includes(event.type) || account === undefined || id === undefined) return fine;
    const at = occurred(event);
    const before = open.get(account);
    if (before !== undefined && at < before.at) return fine;
    const isEnd = event.type === 'dunning_path_withdrawn';
    if (isEnd && before?.id === id) open.forget(account);
    else if (!isEnd) open.set(account, { id, at });
    if (before === undefined || before.id === id) return fine;
    const certain = unlessFiltered('dunning_path_withdrawn');
    return [
      { event, entity: `dunning process "${id}"`, what: 'goes on beside another of its account', certain },
    ];
  }
  return { see };
}

import { comparing } from './comparing.js';
import type { Invariant } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { flag, identifier } from './payload.js';

const uncancelled = ['new', 'dry run', 'failed'] as const;

export const importInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'import-in-order',
    statement:
      'An import has a dry run before each run. A run completes or fails, never both. Later resources follow a completed run.',
    entity: 'import process',
    of: (event) =>
      identifier(event, 'external_identifier') ?? identifier(event, 'import_process_external_identifier'),
    moves: {
      'data_import.import_process.dry_run_error': { from: [...uncancelled, 'cancelled'], to: 'new' },
      'data_import.import_process.dry_run_complete': { from: [...uncancelled, 'cancelled'], to: 'dry run' },
      'data_import.import_process.cancelled': { from: uncancelled, to: 'cancelled' },
      'data_import.import_process.error': { from: ['dry run'], to: 'failed' },
      'data_import.import_process.complete': { from: ['dry run'], to: 'complete' },
      'data_import.import_process.post_import.completed': { from: ['complete'] },
      'data_import.import_process.post_import.error': { from: ['complete'] },
    },
  }),
  lifecycle({
    name: 'imported-order-ends-once',
    statement: 'An imported order completes, fails or is cancelled: one of the three, once.',
    entity: 'imported order',
    of: (event) => identifier(event, 'external_order_id'),
    moves: {
      'data_import.order_process.complete': { from: ['open'], to: 'over' },
      'data_import.order_process.error': { from: ['open'], to: 'over' },
      'data_import.order_process.cancelled': { from: ['open'], to: 'over' },
    },
  }),
  // Remembers accounts that were created without `is_imported`.
  comparing<true>({
    name: 'imported-account-is-marked',
    statement: 'The account of a completed import is created with `is_imported`.',
    entity: 'account',
    of: (event) => identifier(event, event.type === 'account.created' ? 'account_number' : 'identifier'),
    see(event, isOrdinary) {
      if (event.type === 'account.created') return flag(event, 'is_imported') === false ? { keep: true } : {};
      const isCompleted = event.type === 'data_import.import_process.complete';
      return { what: isCompleted && isOrdinary && 'was created without "is_imported"' };
    },
  }),
];

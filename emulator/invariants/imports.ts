import type { Finding, Invariant, StreamEvent } from './invariant.js';
import { fine } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { Memory } from './memory.js';
import { flag, identifier } from './payload.js';

export const importInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'import-in-order',
    statement:
      'An import is rehearsed before it runs; a run is complete or fails, never both, and is not repeated without a rehearsal; what is imported later follows a complete run.',
    entity: 'import process',
    of: (event) =>
      identifier(event, 'external_identifier') ?? identifier(event, 'import_process_external_identifier'),
    begins: {},
    moves: {
      'data_import.import_process.dry_run_error': {
        from: ['new', 'rehearsed', 'failed', 'cancelled'],
        to: 'new',
      },
      'data_import.import_process.dry_run_complete': {
        from: ['new', 'rehearsed', 'failed', 'cancelled'],
        to: 'rehearsed',
      },
      'data_import.import_process.cancelled': { from: ['new', 'rehearsed', 'failed'], to: 'cancelled' },
      'data_import.import_process.error': { from: ['rehearsed'], to: 'failed' },
      'data_import.import_process.complete': { from: ['rehearsed'], to: 'complete' },
      'data_import.import_process.post_import.completed': { from: ['complete'] },
      'data_import.import_process.post_import.error': { from: ['complete'] },
    },
  }),
  lifecycle({
    name: 'imported-order-ends-once',
    statement: 'An imported order is complete, fails or is cancelled: one of the three, once.',
    entity: 'imported order',
    of: (event) => identifier(event, 'external_order_id'),
    begins: {},
    moves: {
      'data_import.order_process.complete': { from: ['open'], to: 'over' },
      'data_import.order_process.error': { from: ['open'], to: 'over' },
      'data_import.order_process.cancelled': { from: ['open'], to: 'over' },
    },
  }),
  {
    name: 'imported-account-is-marked',
    statement: 'The account that an import is complete with was created with `is_imported`.',
    proof: 'stream',
    start: watchAccounts,
  },
];

function watchAccounts() {
  /** Accounts that are created as if they were not imported. */
  const ordinary = new Memory<true>();
  function see(event: StreamEvent): readonly Finding[] {
    if (event.type === 'account.created') {
      const created = identifier(event, 'account_number');
      if (created !== undefined && flag(event, 'is_imported') === false) ordinary.set(created, true);
      return fine;
    }
    if (event.type !== 'data_import.import_process.complete') return fine;
    const account = identifier(event, 'identifier');
    if (account === undefined || ordinary.get(account) === undefined) return fine;
    return [{ event, entity: `account "${account}"`, what: 'was created as if it were not imported' }];
  }
  return { see };
}

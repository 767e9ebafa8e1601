import {
  type ImportError,
  importedResources,
  importErrors,
  laterResources,
} from '../../world/vocabulary/import.js';
import { anyKey } from '../../world/vocabulary/rows.js';
import { accountNumber } from '../facts/household.js';
import { later } from '../facts/times.js';
import type { Subject } from '../subject.js';
import type { Area } from './area.js';

/** What is taken over from other suppliers, and orders that come by file. */
export const imports: Area = {
  fields: {
    resource_type: (s) =>
      s.eventType.includes('post_import') ? s.random.weighted(laterResources) : resource(s),
    import_process_resource_type: resource,
    import_process_external_identifier: sourceIdentifier,
    external_order_id: (s) => `ORD-${s.integer('order')}`,
    process_id: (s) => s.number('join'),
    expiry_window_end: later(14),
    error_code: importError,
    error_detail: (s) => importErrors[importError(s)],
    identifier: (s) => (resource(s) === 'ACCOUNT' ? accountNumber(s) : String(s.integer('imported'))),
  },
  events: {
    'data_import.import_process.*': { external_identifier: sourceIdentifier },
  },
};

/** What it was called where it came from. */
function sourceIdentifier(subject: Subject): string {
  return `EXT-${subject.integer('external account')}`;
}

function resource(subject: Subject): keyof typeof importedResources {
  return subject.once('imported resource', (random) => random.weighted(importedResources));
}

function importError(subject: Subject): ImportError {
  return subject.once('import error', (random) => anyKey(random, importErrors));
}

import type { Cause } from '../../emulator/testing/verify/causes.js';

/** A service whose verdict is known. */
export interface KnownService {
  readonly name: string;
  /** Diagnoses that find the bug: one of them must fail. None for a correct service, in which nothing may fail. */
  readonly diagnoses: readonly string[];
}

/** The seeded bugs, and the diagnoses that find each. */
const bugs = {
  'adds-on-every-delivery': ['not-idempotent'],
  'commits-before-work': ['committed-before-work', 'work-floats'],
  'auto-commit-with-a-batch': ['committed-before-work', 'work-floats'],
  'marks-in-another-transaction': ['seen-before-effect'],
  'remembers-in-memory': ['forgets-at-restart'],
  'swallows-database-errors': ['swallows-errors'],
  'drops-what-comes-early': ['order-across-keys'],
  'stops-at-a-broken-record': ['stalled', 'run-ends'],
  'counts-both-versions': ['counts-versions-twice'],
  'needs-an-optional-field': ['needs-optional-field'],
  'accepts-one-form-of-times': ['one-reading'],
  'counts-by-local-day': ['reads-local-time'],
  'keeps-a-cache': ['not-idempotent'],
  'takes-an-outage-for-not-found': ['ignores-outage'],
  'skips-after-ten-attempts': ['ignores-outage'],
} as const satisfies Readonly<Record<string, readonly Cause['diagnosis'][]>>;

export type BugName = keyof typeof bugs;

export const variantNames = [
  'inbox-in-one-transaction',
  'upserts-by-natural-key',
  'generated-columns',
  'batches',
  'commits-by-timer',
  'parks-broken-records',
  'exits-on-errors',
  'stores-times-as-they-came',
  'durable-outbox',
  'own-offsets',
  'versions-fill-columns',
  'static-membership',
] as const;

export type VariantName = (typeof variantNames)[number];

/** Returns the services with these names: bugs first. */
export function knownServices(own: readonly string[]): KnownService[] {
  return [
    ...Object.entries(bugs).map(([name, diagnoses]) => ({ name, diagnoses })),
    ...variantNames.map((name) => ({ name, diagnoses: [] })),
  ].filter(({ name }) => own.includes(name));
}

import type { Invariant } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { identifier } from './payload.js';

const live = { from: ['signed'] } as const;
const over = { from: ['signed'], to: 'over' } as const;

export const contractInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'contract-in-order',
    statement:
      'A contract begins with its creation journey and is created once. It is rescinded, revoked, terminated, novated or expired at most once, as its last event.',
    entity: 'contract',
    of: (event) => identifier(event, 'contract_identifier'),
    begins: { 'contracts.journeys.creation.started': 'prepared' },
    moves: {
      'contracts.created': { from: ['prepared'], to: 'signed' },
      'contracts.actualized': live,
      'contracts.subject-amended': live,
      'contracts.journeys.variation.started': live,
      'contracts.terms-varied': live,
      'contracts.journeys.termination.started': live,
      'contracts.expiry-approaching': live,
      'contracts.rescinded': over,
      'contracts.revoked': over,
      'contracts.terminated': over,
      'contracts.novated': over,
      'contracts.expired': over,
    },
  }),
  lifecycle({
    name: 'contract-group-created-first',
    statement: 'A contract group is created once, before its memberships and terms change.',
    entity: 'contract group',
    of: (event) => identifier(event, 'contract_group_identifier'),
    begins: { 'contract-groups.created': 'created' },
    moves: {
      'contract-groups.memberships-changed': { from: ['created'] },
      'contract-groups.version-created': { from: ['created'] },
    },
  }),
];

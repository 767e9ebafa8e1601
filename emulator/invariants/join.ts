import { comparing } from './comparing.js';
import { type Finding, type Invariant, noFindings, type StreamEvent, unlessFiltered } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { BoundedMap } from './bounded-map.js';
import { asIdentifier, asInstant, day, identifier, list, member } from './payload.js';
import { supplyPointsInTime } from './supply-points.js';

const open = { from: ['open', 'cancelling'] } as const;

export const joinInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'join-in-order',
    statement:
      'A joining process begins with `requested` and is completed or cancelled, never both. After its end it can only be reversed, if it was completed.',
    entity: 'joining process',
    of: (event) => identifier(event, 'join_supplier_process_number'),
    begins: { 'lifecycle.join-supplier.requested': 'open' },
    moves: {
      'lifecycle.join_supplier.terms-and-conditions.accepted': open,
      'lifecycle.join_supplier._ensure_payment_instructions.step_initiated': open,
      'lifecycle.join_supplier._ensure_payment_instructions.step_completed': open,
      'lifecycle.join_supplier.security_deposits.created': open,
      'lifecycle.join-supplier.await-pre-discovery-flow-step.initiated': open,
      'lifecycle.join-supplier.await-pre-activation-flow-step.initiated': open,
      'lifecycle.join-supplier.supply-point-journey-await-pre-activation-flow-step.initiated': open,
      'lifecycle.join-supplier.activation.initiated': open,
      'lifecycle.join-supplier.activation.completed': open,
      'lifecycle.join-supplier.supply-period.created': open,
      'lifecycle.join-supplier.agreement.created': open,
      'lifecycle.join-supplier.supply-point-journey-await-post-activation-flow-step.initiated': open,
      'lifecycle.join-supplier.await-post-activation-flow-step.initiated': open,
      'lifecycle.join-supplier.cancellation-requested': { from: ['open'], to: 'cancelling' },
      'lifecycle.join-supplier.cancelled': { ...open, to: 'cancelled' },
      'lifecycle.join-supplier.completed': { ...open, to: 'completed' },
      'lifecycle.enrollment.supply-status-qualifies-account-for-loyalty-point': {
        from: ['open', 'cancelling', 'completed'],
      },
      'lifecycle.join-supplier.reversal-requested': { from: ['completed'], to: 'reversing' },
      'lifecycle.join-supplier.reversed': { from: ['completed', 'reversing'], to: 'reversed' },
      'lifecycle.enrollment.loyalty-points-qualification-reversed': {
        from: ['cancelled', 'reversing', 'reversed'],
      },
    },
  }),
  supplyPointsInTime({
    name: 'join-supply-points-in-order',
    statement:
      'The activation of each supply point of a joining process is initiated, then completed. The process completes after the last of them.',
    entity: 'joining process',
    of: (event) => identifier(event, 'join_supplier_process_number'),
    requested: 'lifecycle.join-supplier.requested',
    begun: 'lifecycle.join-supplier.activation.initiated',
    done: 'lifecycle.join-supplier.activation.completed',
    completed: 'lifecycle.join-supplier.completed',
  }),
  comparing<{ readonly account: string; readonly startsOn: string }>({
    name: 'join-starts-as-registered',
    statement:
      "The `confirmed_supply_start_date` of a supply point is the `supply_start_date` of the account's last registration.",
    entity: 'a supply point',
    of: (event) =>
      registrations.includes(event.type)
        ? (identifier(event, 'mpan') ?? identifier(event, 'mprn'))
        : identifier(event, 'supply_point', 'external_identifier'),
    see(event, last) {
      const account = identifier(event, 'account_number');
      if (account === undefined) return {};
      if (registrations.includes(event.type)) {
        const startsOn = day(event, 'supply_start_date');
        return startsOn === undefined ? {} : { keep: { account, startsOn } };
      }
      const confirmed = day(event, 'supply_point', 'confirmed_supply_start_date');
      const isOther = confirmed !== undefined && last?.account === account && last.startsOn !== confirmed;
      const entity = `joining process "${identifier(event, 'join_supplier_process_number') ?? ''}"`;
      return { entity, what: isOther && 'confirms another start of supply than its registration' };
    },
  }),
  {
    name: 'join-agreement-is-the-created-one',
    statement:
      'An agreement in `lifecycle.join-supplier.agreement.created` has the account, product and start of its `agreement.created`.',
    proof: 'stream',
    start: watchAgreements,
  },
];

const registrations: readonly string[] = [
  'meterpoint.elec.cos_gain.registration.requested',
  'meterpoint.gas.cos_gain.registration.requested',
];

interface Agreed {
  readonly account: string | undefined;
  readonly product: string | undefined;
  readonly from: number | undefined;
}

function watchAgreements() {
  const created = new BoundedMap<Agreed>();
  /** Joining processes requested in the stream, which then contains the creation of their agreements. */
  const requested = new BoundedMap<true>();
  function see(event: StreamEvent): readonly Finding[] {
    const account = identifier(event, 'account_number');
    if (event.type === 'agreement.created') {
      const id = identifier(event, 'agreement_id');
      const agreed = agreedIn(event.payload, account);
      if (id !== undefined) created.set(id, agreed);
      return noFindings;
    }
    const process = identifier(event, 'join_supplier_process_number');
    if (process === undefined) return noFindings;
    if (event.type === 'lifecycle.join-supplier.requested') requested.set(process, true);
    if (event.type !== 'lifecycle.join-supplier.agreement.created') return noFindings;
    return list(event, 'agreements').flatMap((recorded): readonly Finding[] => {
      const id = asIdentifier(member(recorded, 'id'));
      if (id === undefined) return noFindings;
      const original = created.get(id);
      const entity = `agreement "${id}"`;
      if (original === undefined) {
        if (requested.get(process) === undefined) return noFindings;
        const certain = unlessFiltered('agreement.created');
        return [{ event, entity, what: 'is in a joining process and was never created', certain }];
      }
      if (agrees(original, agreedIn(recorded, account))) return noFindings;
      return [{ event, entity, what: 'was created with another account, product or start' }];
    });
  }
  return { see };
}

function agreedIn(agreement: unknown, account: string | undefined): Agreed {
  const product = asIdentifier(member(agreement, 'product_code'));
  return { account, product, from: asInstant(member(agreement, 'valid_from')) };
}

/** Whether the two agree in all members that both define. */
function agrees(a: Agreed, b: Agreed): boolean {
  const members = ['account', 'product', 'from'] as const;
  return members.every((name) => a[name] === undefined || b[name] === undefined || a[name] === b[name]);
}

import type { RandomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import { dateOf, type Day } from '../../engine/time.js';
import type { Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { type RoleCode, roleNames, roles, standardRoles } from '../vocabulary/auth.js';
import { buckets } from '../vocabulary/platform.js';

/**
 * Publishes a distributor's message about an invoice for the use of its network. Each message has its own id.
 * @param first The first message about the invoice, whose key is that of all of them. Default: this is the first.
 */
export function receiveDuosInvoice(cell: Cell, message: 'new' | 'replace' | 'cancel', first?: Occurrence) {
  const id = cell.ids.integer('invoice event');
  return occurrence(`billing.duos_invoice.${message}`, first?.key ?? String(id), {
    v1: { invoice_event_id: id },
  });
}

/** Publishes that the month's summaries of all business portfolios are complete. Key: the run. */
export function completePortfolioSummaries(
  cell: Cell,
  { on, count }: { readonly on: Day; readonly count: number },
) {
  const { year, month: monthOfYear } = dateOf(on);
  const month = String(monthOfYear).padStart(2, '0');
  const run = `PIS-${year}${month}-${cell.ids.integer('portfolio run')}`;
  return occurrence('billing.portfolio_invoice_summary.completed', run, {
    v1: {
      run_identifier: run,
      s3_bucket: buckets.billing,
      s3_key_prefix: `portfolio-summaries/${year}/${month}/${run}/`,
      summary_count: count,
    },
  });
}

type RoleKind = keyof typeof standardRoles;

/** A role with its permissions. Key of its events: the code. */
interface AccessRole {
  readonly kind: RoleKind;
  readonly code: string;
  allowed: readonly string[];
}

export function standardRole(kind: RoleKind, random: RandomStream): AccessRole {
  const code = random.pick<RoleCode>(standardRoles[kind]);
  return { kind, code, allowed: roles[code].permissions };
}

export function createRole(cell: Cell, kind: RoleKind, random: RandomStream) {
  const name = random.pick(roleNames);
  const code = `${name.toUpperCase().replaceAll(' ', '_')}_${cell.ids.integer('access role')}`;
  const allowed = drawPermissions(random);
  const v1 = { code, permissions: [...allowed] };
  const created =
    kind === 'user_roles'
      ? occurrence('customer_access.user_roles.created', code, { v1: { ...v1, name } })
      : occurrence(`customer_access.${kind}.created`, code, { v1 });
  return { role: { kind, code, allowed }, created };
}

export function updateRole(role: AccessRole, random: RandomStream) {
  const before = role.allowed.join();
  do role.allowed = drawPermissions(random);
  while (role.allowed.join() === before);
  return occurrence(`customer_access.${role.kind}.updated`, role.code, {
    v1: { code: role.code, permissions: [...role.allowed] },
  });
}

/** Draws at least one permission, in the usual order. */
function drawPermissions(random: RandomStream): readonly string[] {
  const { permissions } = roles.ACCOUNT_HOLDER;
  const always = random.pick(permissions);
  return permissions.filter((permission) => permission === always || random.chance(0.4));
}

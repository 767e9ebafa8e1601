import { accountInvariants, agreementInvariants, permissionInvariants, roleInvariants } from './accounts.js';
import { approvalInvariants } from './approvals.js';
import { billingInvariants } from './billing.js';
import { contactInvariants } from './contact.js';
import { contractInvariants } from './contracts.js';
import { debtInvariants, depositInvariants, dunningInvariants, feeInvariants } from './debt.js';
import { electricityInvariants } from './electricity.js';
import { flexInvariants } from './flex.js';
import { gasInvariants } from './gas.js';
import { importInvariants } from './imports.js';
import type { Invariant } from './invariant.js';
import { joinInvariants } from './join.js';
import { leaveInvariants } from './leave.js';
import { metadataInvariants } from './metadata.js';
import { recordInvariants } from './records.js';

/** Invariants by theme, in display order. */
export const themes: Readonly<Record<string, readonly Invariant[]>> = {
  'Accounts, users and agreements': [...accountInvariants, ...agreementInvariants, ...permissionInvariants],
  Joining: joinInvariants,
  Leaving: leaveInvariants,
  Billing: billingInvariants,
  Debt: debtInvariants,
  'Dunning and collection': dunningInvariants,
  'Late payment fees': feeInvariants,
  Deposits: depositInvariants,
  Conversations: contactInvariants,
  'Flexible devices': flexInvariants,
  Imports: importInvariants,
  Gas: gasInvariants,
  Electricity: electricityInvariants,
  Metadata: metadataInvariants,
  'Access roles': roleInvariants,
  Contracts: contractInvariants,
  Approvals: approvalInvariants,
  'Ids, documents and times': recordInvariants,
};

/** Every invariant of the platform's events, as listed in docs/reference/invariants.md. `startCheck` validates a stream against them. */
export const invariants: readonly Invariant[] = Object.values(themes).flat();

import { billingCycle } from './billing/billing-cycle.js';
import { billingOptionsChange } from './billing/billing-options-change.js';
import { duosInvoice } from './billing/duos-invoice.js';
import { portfolioInvoiceRun } from './billing/portfolio-invoice-run.js';
import { rebate } from './billing/rebate.js';
import { rebillCorrection } from './billing/rebill-correction.js';
import type { PlatformScenario } from './define.js';
import { houseMove } from './house-move.js';

/** Every built-in scenario, in the order in which they are listed to people. */
export const scenarios: readonly PlatformScenario[] = [
  houseMove,
  billingCycle,
  rebillCorrection,
  billingOptionsChange,
  duosInvoice,
  portfolioInvoiceRun,
  rebate,
];

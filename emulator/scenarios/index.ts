import { accessRoles } from './business/access-roles.js';
import { businessOnboarding } from './business/business-onboarding.js';
import { contactEmail } from './contact/contact-email.js';
import { fileUploadAndPush } from './contact/file-upload-and-push.js';
import { liveChat, phoneCall } from './contact/calls-and-chats.js';
import { contractGroup, contractLife } from './contracts/contracts.js';
import { approvals } from './billing/approvals.js';
import { billingCycle } from './billing/billing-cycle.js';
import { billingOptionsChange } from './billing/billing-options-change.js';
import { duosInvoice, portfolioInvoiceRun } from './billing/platform-invoices.js';
import { rebate } from './billing/rebate.js';
import { rebillCorrection } from './billing/rebill-correction.js';
import { authLogin } from './customer/auth-login.js';
import { passwordAndVerification } from './customer/password-and-verification.js';
import { psrAndPreferences, smartReadPermission, userRemoved } from './customer/records.js';
import { debtPath } from './debt/debt-path.js';
import { debtWriteBack } from './debt/debt-write-back.js';
import { depositAgreement } from './debt/deposit-agreement.js';
import { lateFeesCalculator, lateFeesService } from './debt/late-fees.js';
import type { PlatformScenario } from './define.js';
import { flexDay } from './flex/flex-day.js';
import { flexRegister } from './flex/flex-register.js';
import { houseMove } from './supply/house-move.js';
import { dataImportAccount } from './import/data-import-account.js';
import { dataImportOrder } from './import/data-import-order.js';
import { energisationAndService, exportInstallation, texasMarketStatus } from './industry/electricity.js';
import { gasDisputedClosing, gasDisputedOpening } from './industry/gas-disputes.js';
import { gasMamAndBackfill } from './industry/gas-mam-and-backfill.js';
import { meterDataQuality } from './industry/meter-data-quality.js';
import { campaigns } from './sales/campaigns.js';
import { goodsAndLeads } from './sales/goods-and-leads.js';
import { accountReactivation } from './supply/account-reactivation.js';
import { agreementChanges } from './supply/agreement-changes.js';
import { joinSwitchGain } from './supply/join-switch-gain.js';
import { switchLoss } from './supply/switch-loss.js';

/** Every built-in scenario, in display order. */
export const scenarios: readonly PlatformScenario[] = [
  houseMove,
  joinSwitchGain,
  switchLoss,
  accountReactivation,
  agreementChanges,
  gasMamAndBackfill,
  gasDisputedOpening,
  gasDisputedClosing,
  meterDataQuality,
  energisationAndService,
  exportInstallation,
  texasMarketStatus,
  dataImportAccount,
  dataImportOrder,
  billingCycle,
  rebillCorrection,
  billingOptionsChange,
  duosInvoice,
  portfolioInvoiceRun,
  rebate,
  debtPath,
  debtWriteBack,
  lateFeesService,
  lateFeesCalculator,
  depositAgreement,
  approvals,
  authLogin,
  passwordAndVerification,
  psrAndPreferences,
  smartReadPermission,
  userRemoved,
  contactEmail,
  liveChat,
  phoneCall,
  fileUploadAndPush,
  contractLife,
  contractGroup,
  goodsAndLeads,
  campaigns,
  businessOnboarding,
  accessRoles,
  flexRegister,
  flexDay,
];

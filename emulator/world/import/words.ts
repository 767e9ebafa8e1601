/** Statuses of an account import. */
export type ImportStatus =
  | 'PENDING'
  | 'DRY_RUN_SUCCEEDED'
  | 'DRY_RUN_ERRORED'
  | 'IN_PROGRESS'
  | 'PROCESSED'
  | 'ERRORED'
  | 'CANCELLED';

/** Resources imported after their account. */
export const laterResources = {
  NOTE: 0.3,
  TRANSACTION: 0.3,
  HISTORICAL_STATEMENT: 0.25,
  PAYMENT_INSTRUCTION: 0.15,
} as const;

/** Published error codes with their descriptions, which contain no payload values. */
export const importErrors = {
  invalid_phone_number: 'A telephone number is not one that can be called.',
  invalid_postcode: 'A postcode does not have the form of one.',
  invalid_supply_point_identifier: 'A supply point identifier fails its check digit.',
  market_participant_not_found: 'A market participant is not known.',
  tariff_code_not_found: 'A tariff code is not known.',
  product_code_does_not_exist: 'A product code is not known.',
  gaps_or_overlaps_in_agreement_dates: 'The agreements of a supply point leave a gap or overlap.',
  meter_point_with_no_agreement: 'A meter point has no agreement.',
  missing_transfer_reading_for_register: 'A register has no reading for the day of the transfer.',
  invalid_meter_serial_number: 'A meter serial number has characters that none can have.',
  duplicate_meter_points_provided: 'A meter point occurs twice.',
  balance_mismatch_on_transfer_balance: 'The balance is not the sum of its transactions.',
  psr_invalid_industry_code: 'A needs code is not known.',
  date_in_future: 'A date lies in the future.',
  blank: 'A field that is required is blank.',
  loss_in_progress: 'A supply point is leaving already.',
  import_supplier_migration_not_ongoing: 'No migration from that supplier is under way.',
  account_import_process_already_imported: 'The account has been imported before.',
} as const;
export type ImportError = keyof typeof importErrors;

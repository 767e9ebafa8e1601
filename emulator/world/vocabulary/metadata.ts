/** What is noted about an account, with the values that each note takes. */
export const accountNotes = {
  external_account_number: ['EXT-100', 'EXT-200', 'EXT-300'],
  loyalty_tier: ['bronze', 'silver', 'gold'],
  paperless_since: ['2024', '2025', '2026'],
  welcome_pack: ['sent', 'returned', 'sent_again'],
} as const;

/** What is noted about a user. */
export const userNotes = {
  preferred_contact_time: ['morning', 'afternoon', 'evening'],
  smart_install_interest: ['none', 'some', 'high'],
  app_theme: ['light', 'dark', 'system'],
  survey_group: ['a', 'b', 'c'],
} as const;

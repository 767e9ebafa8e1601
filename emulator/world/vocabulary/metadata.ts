import { metadata } from './accounts.js';

const { external_account_number, loyalty_tier, preferred_contact_time, smart_install_interest } = metadata;

/** What is noted about an account, with the values that each note takes. */
export const accountNotes = { external_account_number, loyalty_tier } as const;

/** What is noted about a user. */
export const userNotes = { preferred_contact_time, smart_install_interest } as const;

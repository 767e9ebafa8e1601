import { beforeAll, describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { createSampler } from '../../../emulator/samples/sampler.js';
import { type Found, walk } from './walk.js';

/** The formats by the published rules, independent of the code under test. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const account = /^A-[0-9A-F]{8}$/;
const userNumber = /^U-[0-9A-F]{8}$/;
const ledger = /^L-[0-9A-F]{8}$/;
const document = /^BD-\d{4}-\d{7,}$/;
const mobile = /^\+447700900\d{3}$/;
const email = /^[a-z0-9._+-]+@example\.(com|org|net)$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const date = /^\d{4}-\d\d-\d\d$/;
const productCode = /^[A-Z0-9]+(-[A-Z0-9]+)*-\d\d-\d\d-\d\d$/;

function isMpan(text: unknown): boolean {
  if (typeof text !== 'string' || !/^(1\d|2[0-3])\d{11}$/.test(text)) return false;
  const primes = [3, 5, 7, 13, 17, 19, 23, 29, 31, 37, 41, 43];
  const sum = primes.reduce((total, prime, place) => total + prime * Number(text[place]), 0);
  return (sum % 11) % 10 === Number(text[12]);
}

function isMprn(text: unknown): boolean {
  if (typeof text !== 'string' || !/^\d{6,10}$/.test(text)) return false;
  const body = text.slice(0, -2);
  let sum = 0;
  for (let place = 0; place < body.length; place++) sum += Number(body[place]) * (body.length - place);
  return sum % 11 === Number(text.slice(-2));
}

const isMeterPoint = (text: unknown) => isMpan(text) || isMprn(text);

function isEsiId(text: unknown): boolean {
  return typeof text === 'string' && /^(10(44372|17699|03278|20404|40051)\d{10}|1008901\d{15})$/.test(text);
}

function isRelayId(text: unknown): boolean {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return false;
  return /^[A-Z][A-Za-z]+:[1-9]\d*$/.test(Buffer.from(text, 'base64').toString());
}

type Judge = RegExp | ((value: unknown, found: Found) => boolean);
const oneOf =
  (...judges: Judge[]): Judge =>
  (value, found) =>
    judges.some((judge) => accepts(judge, value, found));

const judges: Record<string, Judge> = {
  account_number: account,
  account_user_emails: email,
  user_email: email,
  user_number: userNumber,
  account_user_number: userNumber,
  latest_contacted_account_user_number: userNumber,
  subject_number: account,
  for_subjects: account,
  join_supplier_process_number: /^JS-[0-9A-F]{8}$/,
  leave_supplier_process_number: /^LS-[0-9A-F]{8}$/,
  process_number: /^(JS|LS)-[0-9A-F]{8}$/,
  process_id: /^JS-[0-9A-F]{8}$/,
  collection_process_number: /^CP-[0-9A-F]{8}$/,
  number: (value, { names, holder }) => {
    if (names.includes('subject_contract_journeys') || names.includes('contract_journey')) {
      return /^CJ-[0-9A-F]{8}$/.test(String(value));
    }
    if (names.includes('linked_accounts') || names.at(-2) === 'account') return account.test(String(value));
    return names.at(-2) === 'ledger'
      ? ledger.test(String(value))
      : /^CP-[0-9A-F]{8}$/.test(String(value)) && 'number' in holder;
  },
  ledger_number: ledger,
  ledger_identifier: ledger,
  lead_number: /^LE-[0-9A-F]{8}$/,
  opportunity_number: /^OP-[0-9A-F]{8}$/,
  quote_configuration_number: /^QC-[0-9A-F]{8}$/,
  displayable_number: /^IC-\d+$/,
  billing_document_identifier: document,
  document_identifier: document,
  billing_document: document,
  mpan: isMpan,
  import_mpan: isMpan,
  export_mpan: isMpan,
  mprn: isMprn,
  meter_point_identifier: isMeterPoint,
  market_supply_point_id: isMeterPoint,
  market_identifier: isMeterPoint,
  external_identifier: oneOf(isMeterPoint, /^EXT-\d+$/, /^GROUP-\d+$/),
  identifier: oneOf(isMeterPoint, account, uuid, /^\d+$/, /^[A-Z_]+$/),
  esi_id: isEsiId,
  conversation_relay_id: isRelayId,
  live_chat_conversation_relay_id: isRelayId,
  message_relay_id: isRelayId,
  relay_id: isRelayId,
  bucket_relay_id: isRelayId,
  timeline_relay_id: isRelayId,
  ink_note_relay_id: isRelayId,
  serial_number: /^[A-Z0-9]{5,10}$/,
  meter_serial: /^[A-Z0-9]{4,14}$/,
  meter_serial_number: /^[A-Z0-9]{4,14}$/,
  supplier_mpid: /^[A-Z0-9]{3,4}$/,
  supplier: /^[A-Z]{3}$/,
  new_supplier: /^[A-Z]{3}$/,
  new_supplier_id: /^[A-Z0-9]{3,4}$/,
  nomination_shipper_ref: /^\d{10}$/,
  mam_to_appoint: /^[A-Z]{3}$/,
  mam_to_deappoint: /^[A-Z]{3}$/,
  current_mam: /^[A-Z]{3}$/,
  previous_mam: /^[A-Z]{3}$/,
  postcode: /^X[A-HJ-NP]\d{1,2} \d[ABD-HJLNP-UW-Z]{2}$/,
  product_code: productCode,
  primary_registration_number: /^\d{8}$/,
  primary_tax_identifier_number: /^GB\d{9}$/,
  from_address: oneOf(email, mobile, /^$/),
  to_addresses: email,
  electricity_industry_code: /^\d\d$/,
  key: /^[a-z][a-z_]{0,63}$/,
  manual_declared_net_capacity: /^\d+\.\d\d$/,
  run_identifier: /^PIS-\d{6}-\d+$/,
  vendor_id: uuid,
  trigger_id: uuid,
  ledger,
  message_id: /^<[0-9a-f-]{36}@example\.com>$/,
  id: oneOf(uuid, /^[1-9]\d{3,14}$/),
  supply_point_id: /^[1-9]\d{3,14}$/,
  changed_by_id: /^[1-9]\d{3,14}$/,
  charge_id: /^[1-9]\d{3,14}$/,
  supply_end_date: oneOf(date, /^$/),
  supply_end_at: oneOf(instant, /^$/),
  entity_id: oneOf(account, /^\d+$/),
  identity: oneOf(account, userNumber),
};
const uuids =
  /^(billing_document_uuid|document_uuid|approval_id|request_id|.*contract_identifier|contract_id|contract_group_identifier|sales_record_identifier|offer_group_identifier|allocation_identifier|journey_identifier|check_id|run_id|pathway_id|deposit_key|dunning_process_id|device_id|site_id|file_reference|managing_party_identifier)$/;
const openEnds = /^(valid_to|effective_to|end|rolled_on_to_agreement_valid_to)$/;
const datesOrInstants = /^(valid|effective|period|rolled_on).*|^(start|end|begin)(_at)?$/;

function judgeOf(name: string): Judge | undefined {
  const own = judges[name];
  if (own !== undefined) return own;
  if (uuids.test(name)) return uuid;
  if (datesOrInstants.test(name)) return oneOf(date, instant, ...(openEnds.test(name) ? [/^$/] : []));
  if (/_(at|begin|end)$|^timestamp$|^snoozed_to$|^expiry_window_end$|_expiry_date$/.test(name))
    return instant;
  return /_(date|on|ssd)$|^date_of_removal$|^rebill_from$/.test(name) ? date : undefined;
}

function accepts(judge: Judge, value: unknown, found: Found): boolean {
  return judge instanceof RegExp ? typeof value === 'string' && judge.test(value) : judge(value, found);
}

describe('identifiers in samples', () => {
  const catalogue = openCatalogue();
  const found: (Found & { readonly event: string })[] = [];

  beforeAll(async () => {
    for (const seed of [1, 2]) {
      const sampler = await createSampler({ catalogue, seed });
      for (let nth = 0; nth < 5; nth++) {
        for (const event of catalogue.events) {
          const payload = sampler.sample(event, { nth });
          found.push(...walk(payload).map((each) => ({ ...each, event: event.name })));
        }
      }
    }
  });

  it('match their formats, check digits included', () => {
    const strings = found.filter(
      ({ value, names }) => typeof value === 'string' && !names.includes('changes'),
    );
    const wrong = strings.filter((each) => {
      const judge = judgeOf(each.name);
      return judge !== undefined && !accepts(judge, each.value, each);
    });
    expect(wrong.slice(0, 10).map(({ event, names, value }) => [event, names.join('.'), value])).toEqual([]);
  });

  it('cover every text that looks like an identifier', () => {
    const looksLike = (value: string) =>
      [uuid, instant, date, /^[A-Z]{1,2}-[0-9A-F]{8}$/, /@example/].some((format) => format.test(value)) ||
      isMpan(value);
    const unjudged = found
      .filter(
        ({ names }) =>
          !names.some((name) => /^(changes|payload|contact_info|process_data|user_identifiers)$/.test(name)),
      )
      .filter(
        ({ name, value }) => typeof value === 'string' && judgeOf(name) === undefined && looksLike(value),
      )
      .map(({ event, name }) => `${event} ${name}`);
    expect([...new Set(unjudged)]).toEqual([]);
  });

  it('contain 4 to 15 digits if whole, except ids of staff, teams and places', () => {
    const small =
      /^(support_user|assigned_to|approved_by|rejected_by|held_by|requested_by|triggered_by|updated_by_user|actor|organisation|operations_team|enforced_security_rule)_ids?$/;
    const ids = found.filter(
      ({ event, name, value }) =>
        /(^|_)ids?$/.test(name) &&
        typeof value === 'number' &&
        !small.test(name) &&
        !event.startsWith('internal_company.'),
    );
    expect(ids.length).toBeGreaterThan(1000);
    const wrong = ids.filter(({ value }) => !/^[1-9]\d{3,14}$/.test(String(value)));
    expect(wrong.map(({ event, name }) => `${event} ${name}`)).toEqual([]);
  });

  it('reject broken identifiers', () => {
    expect(isMpan('1200060176720')).toBe(true);
    expect(isMpan('1200060176721')).toBe(false);
    expect(isMpan('2000050773706')).toBe(true);
    expect(isMprn('3938424403')).toBe(true);
    expect(isMprn('3938424404')).toBe(false);
    expect(isMprn('9353824109')).toBe(true);
    expect(isRelayId('SW5rQ29udmVyc2F0aW9uOjkxODI3Mw==')).toBe(true);
    expect(isRelayId('InkConversation:918273')).toBe(false);
    expect(isEsiId('10443720000123456')).toBe(true);
    expect(isEsiId('1044372000012345')).toBe(false);
  });
});

import type { platformApi } from '../../../catalogue/index.js';
import { mpanCheckDigit, mprnCheck } from '../../../emulator/world/identifiers.js';
import { apiKey, basic } from './serve.js';

export const supplier = 'NORTHERN_2026';

/** A valid account, with supply points that depend on its number. */
export function accountOf(
  number: string,
  { gas = false }: { readonly gas?: boolean } = {},
): platformApi.ImportAccountRequest {
  const nth = Number(number.replace(/\D/g, ''));
  const mpan = `1299${String(nth).padStart(8, '0')}`;
  const mprn = `98${String(nth).padStart(6, '0')}`;
  const day = '2026-03-05';
  return {
    import_supplier: supplier,
    external_account_number: number,
    customers: [{ given_name: 'Ada', family_name: 'Penhale', email: `ada.${nth}@example.com` }],
    supply_addresses: [
      {
        supply_address1: '1 Lantern Street',
        supply_postcode: 'XC1 1AA',
        meter_points: [
          {
            identifier: `${mpan}${mpanCheckDigit(mpan)}`,
            supply_type: 'ELECTRICITY',
            mpid: 'NORT',
            supply_start_date: day,
            agreements: [{ tariff_code: 'E-1R-VAR-22-11-01-C', effective_from: day }],
          },
          ...(gas
            ? [
                {
                  identifier: `${mprn}${String(mprnCheck(mprn)).padStart(2, '0')}`,
                  supply_type: 'GAS' as const,
                  mpid: 'NORT',
                  shipper_mpid: 'NSH',
                  supply_start_date: day,
                  agreements: [{ tariff_code: 'G-1R-VAR-22-11-01-C', effective_from: day }] as [
                    platformApi.ImportAgreement,
                  ],
                },
              ]
            : []),
        ],
      },
    ] as platformApi.ImportAccountRequest['supply_addresses'],
  };
}

type Ask = (path: string, init?: RequestInit) => Promise<{ status: number; body: never; text: string }>;

/** A POST with the API key; a string is the body as it is. */
export function send(ask: Ask, path: string, body: unknown) {
  return ask(path, {
    method: 'POST',
    headers: withKey,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export const withKey = { Authorization: basic(apiKey), 'Content-Type': 'application/json' };

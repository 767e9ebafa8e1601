/**
 * Migrates an account to the platform, follows its import by events, and reads the imported account.
 *
 *     emulate --api-key sk_test --speed 600
 *     node account-import.js http://127.0.0.1:4100 sk_test N-1
 */
import { pathToFileURL } from 'node:url';
import { createConsumer } from 'busbar';
import type { platformApi } from 'busbar/catalogue';
import { websocket } from 'busbar/websocket';
import { platformClient } from './platform-client.js';

/** Returns an account of another supplier, with electricity in one home. */
export function accountToImport(number: string): platformApi.ImportAccountRequest {
  const day = '2026-03-05';
  return {
    import_supplier: 'NORTHERN_2026',
    external_account_number: number,
    customers: [{ given_name: 'Ada', family_name: 'Penhale', email: 'ada@example.com' }],
    supply_addresses: [
      {
        supply_address1: '1 Lantern Street',
        supply_postcode: 'XC1 1AA',
        meter_points: [
          {
            identifier: '1299900000014',
            supply_type: 'ELECTRICITY',
            mpid: 'NORT',
            supply_start_date: day,
            agreements: [{ tariff_code: 'E-1R-VAR-22-11-01-C', effective_from: day }],
          },
        ],
      },
    ],
  };
}

/** Imports an account. Resolves to the account after the completion event. `log` gets a line per event. */
export async function importAccount(
  base: string,
  apiKey: string,
  sent: platformApi.ImportAccountRequest,
  log: (line: string) => void,
): Promise<platformApi.Account> {
  const { import_supplier, external_account_number } = sent;
  const client = await platformClient(new URL('/v1/', base).href).authenticate(apiKey);
  const consumer = createConsumer();
  const arrived = new Promise<string>((resolve) => {
    consumer.onMatching('data_import.*', (event) => log(event.type));
    consumer.on('agreement.created', 'v1', (event) => log(`${event.type} ${event.payload.product_code}`));
    consumer.on('data_import.import_process.complete', 'v1', ({ type, payload }) => {
      log(`${type} ${payload.external_identifier}`);
      if (payload.external_identifier === external_account_number) resolve(payload.identifier);
    });
  });
  const running = await consumer.run(
    websocket({ url: new URL('/events', base.replace(/^http/, 'ws')).href }),
  );
  try {
    await client.post('/data-import/accounts/', sent);
    await client.post('/data-import/accounts/process/', { import_supplier, external_account_number });
    return await client.get('/accounts/{account_number}/', { account_number: await arrived });
  } finally {
    await running.stop();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , base = 'http://127.0.0.1:4100', apiKey = '', number = 'N-1'] = process.argv;
  const sent = accountToImport(number);
  // The platform's operator does this. It isn't part of the platform's API.
  await fetch(new URL('/emulator/v1/import-suppliers', base), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code: sent.import_supplier }),
  });
  const account = await importAccount(base, apiKey, sent, console.log);
  console.log(`${number} is now ${account.number}, ${account.status}, by ${account.import_supplier}`);
}

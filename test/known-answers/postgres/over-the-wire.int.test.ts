import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContractReport } from '../../../emulator/testing/index.js';
import { runProcess } from '../../command.js';

const server = process.env['BUSBAR_POSTGRES'] ?? '';
const service = join(import.meta.dirname, '../../fixtures/service/postgres-service.mjs');

describe.skipIf(server === '')('emulate verify --contract, with PostgreSQL behind a proxy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-wire-'));
  // The server listens on a socket in a folder, and a proxy connects to a port.
  const relay = createServer((client) => {
    const [, socketFolder = ''] = /host=([^&]+)/.exec(server) ?? [];
    const database = connect(join(decodeURIComponent(socketFolder), '.s.PGSQL.5432'));
    for (const each of [client, database]) each.on('error', () => undefined);
    client.pipe(database).pipe(client);
  });
  beforeAll(async () => {
    await once(relay.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(async () => {
    await new Promise((closed) => relay.close(closed));
    rmSync(folder, { recursive: true, force: true });
  });

  async function verify(
    env: Readonly<Record<string, string>>,
    events: readonly string[] = ['account.created-v1'],
    checks: readonly string[] = ['duplicates', 'dependencies'],
  ) {
    const { port } = relay.address() as AddressInfo;
    const command = [process.execPath, service, 'run', 'postgresql://busbar@{proxy.database}/postgres'];
    const query = 'SELECT number, events FROM account';
    const contract = {
      start: { command, env: { KAFKA_BROKERS: '{brokers}', ...env } },
      proxies: { database: `127.0.0.1:${port}` },
      group: 'counting',
      events,
      observe: { account: { postgres: server, query, key: 'number' } },
      reset: { command: [process.execPath, service, 'reset', server] },
    };
    const file = join(folder, 'contract.json');
    writeFileSync(file, JSON.stringify(contract));
    const only = checks.flatMap((check) => ['--only', check]);
    const { stdout } = await runProcess('emulate', [
      'verify',
      '--contract',
      file,
      '--out',
      folder,
      '--json',
      ...only,
    ]);
    return JSON.parse(stdout) as ContractReport;
  }

  it('passes a service that retries when its database is away', async () => {
    const { checks, causes } = await verify({});
    expect(causes).toEqual([]);
    expect(checks.filter(({ name }) => name === 'dependencies')).toEqual([
      expect.objectContaining({ status: 'passed' }),
    ]);
  });

  it('finds a service that swallows the errors of its database', async () => {
    const { causes } = await verify({ SWALLOWS: 'yes' });
    expect(causes).toEqual([expect.objectContaining({ status: 'failed', checks: ['dependencies'] })]);
  });

  it('finds a count of both versions in a column of type bigint', async () => {
    const type = 'billing.billing_document.issued';
    const { causes } = await verify({ COUNTED: type }, [`${type}-v1`, `${type}-v2`], ['occurrences']);
    expect(causes).toEqual([expect.objectContaining({ status: 'failed', checks: ['occurrences'] })]);
  });
});

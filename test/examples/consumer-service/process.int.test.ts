import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLogger } from 'busbar';
import { type Emulator, startEmulator, type Started } from 'busbar-emulator';
import { useService } from 'busbar-emulator/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../examples/consumer-service/database.ts';
import { supplyEndsIn, supplyEndsOf } from '../../../examples/consumer-service/truth.ts';
import { playsAll } from '../../cases.js';

const main = fileURLToPath(new URL('../../../examples/consumer-service/main.ts', import.meta.url));
const emulator = useService(
  () =>
    startEmulator({
      speed: 'instant',
      kafka: { port: 0 },
      http: { port: 0 },
      platformApi: { apiKeys: ['sk_test'] },
      logger: silentLogger,
    }),
  { beforeAll, afterAll },
);

/** Address of the server that `npm run test:postgres` starts. */
const server = process.env['BUSBAR_POSTGRES'];

/** Returns the address of an empty database: on the server if there is one, else in a folder. */
async function emptyDatabase(): Promise<string> {
  if (server === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'busbar-service-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return folder;
  }
  const pool = new pg.Pool({ connectionString: server });
  onTestFinished(async () => {
    await pool.query('DROP SCHEMA moves CASCADE');
    await pool.end();
  });
  await pool.query('CREATE SCHEMA moves');
  return `${server}${server.includes('?') ? '&' : '?'}options=${encodeURIComponent('-c search_path=moves')}`;
}

/** Starts the service as a process. Resolves after its start. */
async function service({ bootstrapServers, apiUrl }: Emulator, databaseUrl: string) {
  const { SEEDED_BUG: _bug, ...env } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', main], {
    env: {
      ...env,
      KAFKA_BROKERS: bootstrapServers,
      PLATFORM_URL: apiUrl,
      PLATFORM_API_KEY: 'sk_test',
      DATABASE_URL: databaseUrl,
      OPERATIONS_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const closed = once(child, 'close');
  const lines = () =>
    output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { message: string; url?: string });
  while (!output.includes('"service started"')) {
    await Promise.race([once(child.stdout, 'data'), closed]);
    if (child.exitCode !== null) throw new Error(`The service did not start: ${output}`);
  }
  return {
    url: lines().find(({ message }) => message === 'service started')?.url,
    async terminate() {
      child.kill('SIGTERM');
      await closed;
      return { code: child.exitCode, last: lines().at(-1)?.message };
    },
  };
}

// Three databases start one after another. `npm run test:postgres` and the long suite play it.
it.runIf(server !== undefined || playsAll)(
  'neither loses nor repeats an event after a stop, and matches the ground truth',
  async () => {
    const databaseUrl = await emptyDatabase();
    const started: Started[] = [];
    const move = (times: number) => {
      for (let nth = 0; nth < times; nth++) started.push(emulator().start('house-move'));
      return emulator().idle();
    };
    // Shorter than the test's timeout, so that the error names the lagging group.
    const consumed = () => emulator().consumed({ groupId: 'moves', timeout: 1_500_000 });

    const first = await service(emulator(), databaseUrl);
    await move(5);
    await consumed();
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
    // The broker has all events, and the service has handled few of them.
    await move(10);
    expect(await first.terminate()).toEqual({ code: 0, last: 'service stopped' });

    const second = await service(emulator(), databaseUrl);
    await consumed();
    await second.terminate();

    const database = await openDatabase(databaseUrl);
    onTestFinished(() => database.close());
    const cells = [...new Set(started.map(({ cell }) => cell))].map((cell) => emulator().cell(cell));
    expect(await supplyEndsIn(database)).toEqual(
      supplyEndsOf({ accounts: () => cells.flatMap(({ accounts }) => accounts) }),
    );
    // Each entry has two event versions, and is booked once.
    const { byType } = emulator().run.summary;
    expect(await database.query('SELECT sum(count)::integer AS count FROM bookings')).toEqual([
      { count: (byType.get('billing.ledger.entry_posted') ?? 0) / 2 },
    ]);
    expect(await database.query('SELECT count(*)::integer AS count FROM final_bills')).toEqual([
      { count: byType.get('billing.final_bill') },
    ]);
  },
);

import { verifyConsumer } from 'busbar-emulator/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checksInProcess } from '../../../emulator/testing/checks/index.js';
import { type Difference, openService } from './service.js';

/** `npm run test:postgres` starts a server and names it here. */
const server = process.env['BUSBAR_POSTGRES'];

/** The check "leaks" delivers thousands of events, for which the inbox would take minutes. */
const most = checksInProcess.map(({ name }) => name).filter((name) => name !== 'leaks');

/** Returns the diagnoses that fail. */
async function failures(difference: Difference, only: readonly string[]) {
  const { consumer, contract, close } = await openService(server!, difference);
  onTestFinished(close);
  const { causes } = await verifyConsumer(consumer, { ...contract, only, runs: 3 });
  return causes.filter(({ status }) => status === 'failed').map(({ diagnosis }) => diagnosis);
}

describe.runIf(server)('verifyConsumer() of a service on PostgreSQL', () => {
  it('finds nothing in inserts with a primary key behind an inbox', async () => {
    expect(await failures({}, most)).toEqual([]);
  });

  it('names a service that counts both versions of an occurrence, in two tables', async () => {
    const twice = 'counts-versions-twice';
    expect(await failures({ by: 'event' }, ['occurrences'])).toEqual([twice, twice]);
  });

  it('names a query that is not awaited', async () => {
    expect(await failures({ floats: true }, ['floating'])).toEqual(['work-floats']);
  });
});

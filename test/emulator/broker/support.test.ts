import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apis } from '../../../emulator/broker/apis/all.js';
import { Broker } from '../../../emulator/broker/broker.js';
import { differences } from '../../interop/kafka/differences.js';
import { supportPage } from './support-page.js';
import { WireClient } from './wire-client.js';

describe('the list of APIs', () => {
  it('matches the page that test/emulator/broker/write-support.ts writes', () => {
    const page = readFileSync(new URL('../../../docs/reference/kafka-support.md', import.meta.url), 'utf8');
    expect(page).toBe(supportPage(apis));
  });

  it('includes the reason for every difference that `npm run test:kafka` allows', () => {
    for (const { title } of differences) expect(supportPage(apis)).toContain(`- **${title}**`);
  });

  it('matches ApiVersions in every version, also in one from the future', async () => {
    const broker = new Broker();
    const expected = [...apis.values()].map((api) => ({
      apiKey: api.key,
      minVersion: api.minVersion,
      maxVersion: api.maxVersion,
    }));
    for (const version of [0, 1, 2, 3]) {
      const response = await WireClient.to(broker).request(18, version, {
        clientSoftwareName: 'x',
        clientSoftwareVersion: '1',
      });
      expect(response).toMatchObject({ errorCode: 0, apiKeys: expected });
    }
    // Key 18, version 4, correlation id 7: returns error 35 in the layout of version 0 (KIP-511).
    const response = await WireClient.to(broker).bytes(
      Buffer.from('0012' + '0004' + '00000007' + '0000' + '00', 'hex'),
    );
    const count = apis.size.toString(16).padStart(8, '0');
    expect(response?.subarray(0, 10).toString('hex')).toBe('00000007' + '0023' + count);
    expect(response).toHaveLength(4 + 2 + 4 + 6 * apis.size);
    await broker.stop();
  });
});

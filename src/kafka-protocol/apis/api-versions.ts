import type { ApiTable } from '../api-table.js';
import { int16, int32, list, string } from '../fields.js';

export const apiVersionsTable = {
  key: 18,
  name: 'ApiVersions',
  versions: 'v0-3',
  flexible: 'v3+',
  request: {
    clientSoftwareName: string('v3+'),
    clientSoftwareVersion: string('v3+'),
  },
  response: {
    errorCode: int16(),
    apiKeys: list({
      apiKey: int16(),
      minVersion: int16(),
      maxVersion: int16(),
    }),
    throttleTimeMs: int32('v1+', { default: 0 }),
  },
} satisfies ApiTable;

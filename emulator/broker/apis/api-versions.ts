import { apiVersionsTable, errorCodes } from 'busbar/internal/kafka-protocol';
import { defineApi, type RequestContext } from '../api.js';

/** Allowed client names and versions (KIP-511). */
const SOFTWARE = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;

export const apiVersions = defineApi({
  ...apiVersionsTable,
  behaviour:
    'The keys and versions of this page. For an unknown version, error 35 in the encoding of version 0.',
  omissions: ['feature flags'],
  handle(software, context) {
    const { clientSoftwareName: name, clientSoftwareVersion: version } = software;
    const isNamed = context.version < 3 || (SOFTWARE.test(name) && SOFTWARE.test(version));
    return isNamed
      ? { errorCode: errorCodes.none, apiKeys: advertised(context) }
      : { errorCode: errorCodes.invalidRequest, apiKeys: [] };
  },
  // With the list, a client of a later version can repeat its request (KIP-511).
  refuse: (_, errorCode, context) => ({ errorCode, apiKeys: advertised(context) }),
});

function advertised({ apis }: RequestContext) {
  return [...apis.values()].map(({ key, minVersion, maxVersion }) => ({
    apiKey: key,
    minVersion,
    maxVersion,
  }));
}

import { errorCodes, int16, listOf, string } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';
import { PLAIN } from '../sasl.js';

export const saslHandshake = defineApi({
  key: 17,
  name: 'SaslHandshake',
  versions: 'v0-1',
  behaviour: 'PLAIN, if the broker was started with users.',
  omissions: ['SCRAM, OAUTHBEARER, GSSAPI'],
  request: {
    mechanism: string(),
  },
  response: {
    errorCode: int16(),
    mechanisms: listOf(string(), 'v0+', { default: [] }),
  },
  handle({ mechanism }, { broker, connection, version }) {
    if (!broker.settings.sasl || connection.authenticated) {
      return { errorCode: errorCodes.illegalSaslState };
    }
    if (mechanism !== PLAIN) return { errorCode: errorCodes.unsupportedSaslMechanism, mechanisms: [PLAIN] };
    connection.saslMechanism = mechanism;
    // After version 1, the token follows in SaslAuthenticate (KIP-152).
    connection.expectsBareToken = version === 0;
    return { errorCode: errorCodes.none, mechanisms: [PLAIN] };
  },
  refuse: (_, errorCode) => ({ errorCode, mechanisms: [PLAIN] }),
});

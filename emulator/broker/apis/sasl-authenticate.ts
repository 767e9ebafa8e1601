import { bytes, errorCodes, int16, int64, NO_BYTES, string } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';
import { authenticate } from '../sasl.js';
import { rejection } from '../topics/problem.js';

export const saslAuthenticate = defineApi({
  key: 36,
  name: 'SaslAuthenticate',
  versions: 'v0-2',
  flexible: 'v2+',
  behaviour: 'Checks user and password; sessions do not expire.',
  omissions: ['re-authentication (KIP-368)'],
  request: {
    authBytes: bytes(),
  },
  response: {
    errorCode: int16(),
    errorMessage: string('v0+', { nullable: 'v0+', default: null }),
    authBytes: bytes('v0+', { default: NO_BYTES }),
    sessionLifetimeMs: int64('v1+', { default: 0 }),
  },
  handle({ authBytes }, { broker, connection }) {
    if (connection.saslMechanism === undefined || connection.authenticated)
      return rejection('illegalSaslState', 'SaslAuthenticate request received where none is expected.');
    if (authenticate(broker, connection, authBytes)) return { errorCode: errorCodes.none };
    connection.closing = true;
    return rejection('saslAuthenticationFailed', 'Authentication failed: Invalid username or password');
  },
});

// InitProducerId (22), versions 0-4. Gives an idempotent producer its id. Transactions are not implemented: a request
// with a transactional id is refused with TRANSACTIONAL_ID_AUTHORIZATION_FAILED, the one code that clients do not retry.
import { defineApi } from '../api.js';
import { errorCodes } from '../protocol/error-codes.js';
import { int16, int32, int64, string } from '../protocol/fields.js';

export const initProducerId = defineApi({
  key: 22,
  name: 'InitProducerId',
  versions: 'v0-4',
  flexible: 'v2+',
  behaviour:
    'A new id with epoch 0 for every idempotent producer. A transactional id is refused with TRANSACTIONAL_ID_AUTHORIZATION_FAILED, which clients report at once instead of retrying, and a line in the broker’s log.',
  omissions: ['transactions'],
  request: {
    transactionalId: string('v0+', { nullable: 'v0+' }),
    transactionTimeoutMs: int32(),
    producerId: int64('v3+', { default: -1 }),
    producerEpoch: int16('v3+', { default: -1 }),
  },
  response: {
    throttleTimeMs: int32('v0+', { default: 0 }),
    errorCode: int16(),
    producerId: int64('v0+', { default: -1 }),
    producerEpoch: int16('v0+', { default: -1 }),
  },
  handle({ transactionalId, producerId, producerEpoch }, { broker, clientId }) {
    // An empty id, or one half of a producer's identity, is a mistake of the client.
    if (transactionalId === '' || (producerId === -1) !== (producerEpoch === -1)) {
      return { errorCode: errorCodes.invalidRequest };
    }
    if (transactionalId === null) {
      return { errorCode: errorCodes.none, producerId: broker.nextProducerId(), producerEpoch: 0 };
    }
    broker.logger.warn(
      'transactions are not supported by the embedded broker: use an idempotent producer, or Apache Kafka',
      {
        transactionalId,
        clientId,
      },
    );
    return { errorCode: errorCodes.transactionalIdAuthorizationFailed };
  },
  refuse: (_, errorCode) => ({ errorCode }),
});

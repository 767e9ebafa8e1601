import { errorCodes, int16, int32, int64, string } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';

export const initProducerId = defineApi({
  key: 22,
  name: 'InitProducerId',
  versions: 'v0-4',
  flexible: 'v2+',
  behaviour:
    'A new id with epoch 0 for each idempotent producer. Logs and refuses a transactional id with TRANSACTIONAL_ID_AUTHORIZATION_FAILED, which clients report without a retry.',
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
    if (transactionalId === '' || (producerId === -1) !== (producerEpoch === -1)) {
      return { errorCode: errorCodes.invalidRequest };
    }
    if (transactionalId === null) {
      return { errorCode: errorCodes.none, producerId: broker.nextProducerId(), producerEpoch: 0 };
    }
    broker.logger.warn('transactions are not supported', { transactionalId, clientId });
    return { errorCode: errorCodes.transactionalIdAuthorizationFailed };
  },
});

import { errorCodes, findCoordinatorTable } from 'busbar/internal/kafka-protocol';
import { defineApi, type RequestContext } from '../api.js';

const GROUP = 0;
/** InitProducerId refuses transactions, and every client reports its error. */
const TRANSACTION = 1;

export const findCoordinator = defineApi({
  ...findCoordinatorTable,
  behaviour: 'This broker, for groups and transactions (InitProducerId refuses the latter).',
  handle({ keyType, coordinatorKeys }, context) {
    const isKnown = keyType === GROUP || keyType === TRANSACTION;
    return respond(coordinatorKeys, isKnown ? errorCodes.none : errorCodes.invalidRequest, context);
  },
  refuse: ({ coordinatorKeys }, errorCode, context) => respond(coordinatorKeys, errorCode, context),
});

function respond(keys: readonly string[], errorCode: number, { broker, connection }: RequestContext) {
  const here = { nodeId: broker.settings.brokerId, ...connection.advertised };
  const coordinator = {
    errorCode,
    ...(errorCode === errorCodes.none ? here : { nodeId: -1, host: '', port: -1 }),
  };
  return { ...coordinator, coordinators: keys.map((key) => ({ key, ...coordinator })) };
}

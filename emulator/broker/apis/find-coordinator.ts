// FindCoordinator (10), versions 0-4. Returns this broker, for transactions, too: InitProducerId refuses transactions,
// and every client reports its error.
import { defineApi, type RequestContext } from '../api.js';
import { errorCodes } from '../protocol/error-codes.js';
import { int8, int16, int32, list, listOf, string } from '../protocol/fields.js';

const GROUP = 0;
const TRANSACTION = 1;

export const findCoordinator = defineApi({
  key: 10,
  name: 'FindCoordinator',
  versions: 'v0-4',
  flexible: 'v3+',
  behaviour: 'This broker, for groups and transactions (InitProducerId refuses the latter).',
  request: {
    key: string('v0-3'),
    keyType: int8('v1+', { default: GROUP }),
    coordinatorKeys: listOf(string(), 'v4+'),
  },
  response: {
    throttleTimeMs: int32('v1+', { default: 0 }),
    errorCode: int16('v0-3'),
    errorMessage: string('v1-3', { nullable: 'v1-3', default: null }),
    nodeId: int32('v0-3'),
    host: string('v0-3'),
    port: int32('v0-3'),
    coordinators: list(
      {
        key: string(),
        nodeId: int32(),
        host: string(),
        port: int32(),
        errorCode: int16(),
        errorMessage: string('v4+', { nullable: 'v4+', default: null }),
      },
      'v4+',
    ),
  },
  handle: ({ keyType, coordinatorKeys }, context) =>
    keyType === GROUP || keyType === TRANSACTION
      ? respond(coordinatorKeys, errorCodes.none, context)
      : respond(coordinatorKeys, errorCodes.invalidRequest, context),
  refuse: ({ coordinatorKeys }, errorCode, context) => respond(coordinatorKeys, errorCode, context),
});

function respond(keys: readonly string[], errorCode: number, { broker, connection }: RequestContext) {
  const here = { nodeId: broker.settings.nodeId, ...connection.advertised };
  const coordinator = {
    errorCode,
    ...(errorCode === errorCodes.none ? here : { nodeId: -1, host: '', port: -1 }),
  };
  return { ...coordinator, coordinators: keys.map((key) => ({ key, ...coordinator })) };
}

import type { Recipe } from '../recipe.js';

export const kafkaApi: Recipe = {
  title: 'Add a Kafka API',
  names: { name: 'list-transactions' },
  files: {
    'emulator/broker/apis/list-transactions.ts': `
// ListTransactions (66), version 0. This broker has no transactions.
import { errorCodes, int16, int32, int64, list, listOf, string } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';

export const listTransactions = defineApi({
  key: 66,
  name: 'ListTransactions',
  versions: 'v0',
  flexible: 'v0+',
  behaviour: 'An empty list: this broker has no transactions.',
  omissions: ['filters by state and by producer'],
  request: {
    stateFilters: listOf(string()),
    producerIdFilters: listOf(int64()),
  },
  response: {
    throttleTimeMs: int32('v0+', { default: 0 }),
    errorCode: int16(),
    unknownStateFilters: listOf(string()),
    transactionStates: list({ transactionalId: string(), producerId: int64(), transactionState: string() }),
  },
  handle: () => empty(errorCodes.none),
  refuse: (_, errorCode) => empty(errorCode),
});

function empty(errorCode: number) {
  return { errorCode, unknownStateFilters: [], transactionStates: [] };
}
`,
    'test/emulator/broker/list-transactions.test.ts': `
import { expect, it } from 'vitest';
import { Broker } from '../../../emulator/broker/broker.js';
import { WireClient } from './wire-client.js';

it('lists no transactions', async () => {
  const broker = new Broker();
  const client = WireClient.to(broker);
  const response = await client.request(66, 0, { stateFilters: [], producerIdFilters: [] });
  expect(response).toMatchObject({ errorCode: 0, transactionStates: [] });
  await broker.stop();
});
`,
  },
  edits: [
    {
      file: 'emulator/broker/apis/index.ts',
      line: 'export { metadata }',
      where: 'before',
      insert: "export { listTransactions } from './list-transactions.js';",
    },
    {
      file: 'emulator/broker/faults/known-errors.ts',
      line: 'COORDINATOR_LOAD_IN_PROGRESS: [',
      where: 'instead',
      insert:
        '  COORDINATOR_LOAD_IN_PROGRESS: [14, `${coordinated} OffsetFetch ListGroups ListTransactions`],',
    },
  ],
};

import { memory } from '../../../src/transports/memory.js';
import { describeTransport } from './conformance.js';

describeTransport('memory', {
  capabilities: { commit: true, redelivery: true, keys: true, deadLetters: true },
  skips: { 'failure to connect': 'it lives in this process, there is nothing to reach' },
  start() {
    const transport = memory({ partitions: 3 });
    return Promise.resolve({
      transport: () => transport,
      send: async (records) => transport.send(...records),
      end: async () => transport.end(),
      deadLetters: () =>
        Promise.resolve(
          transport.deadLetters.map(({ record, cause }) => ({
            key: record.key,
            value: record.value,
            headers: [...record.headers],
            cause,
          })),
        ),
      stop: () => Promise.resolve(),
    });
  },
});

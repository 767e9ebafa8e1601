import type { Recipe } from '../recipe.js';

export const transport: Recipe = {
  title: 'Add a transport',
  names: { name: 'queue' },
  files: {
    'src/transports/queue.ts': `
import { memory, type MemoryTransport } from './memory.js';

/** A queue in this process, without dead letters. */
export function queue(partitions: number): MemoryTransport {
  return { ...memory({ partitions, deadLetters: false }), name: 'queue' };
}
`,
    'test/src/transports/queue.conformance.test.ts': `
import { queue } from '../../../src/transports/queue.js';
import { describeTransport } from './conformance.js';

describeTransport('queue', {
  capabilities: { commit: true, redelivery: true, keys: true, deadLetters: false },
  skips: { 'failure to connect': 'it is in this process' },
  start() {
    const transport = queue(3);
    return Promise.resolve({
      transport: () => transport,
      send: async (records) => transport.send(...records),
      end: async () => transport.end(),
      stop: () => Promise.resolve(),
    });
  },
});
`,
  },
  edits: [],
};

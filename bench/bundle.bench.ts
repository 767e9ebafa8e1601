import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { Measured } from './measure.js';

const entry = 'entry.ts';
const program = `
  export { createConsumer } from './src/index.ts';
  export { kafka } from './src/transports/kafka/index.ts';
`;
/** Modules that a Kafka consumer loads on demand, and generated ones. */
const external = /^(#|busbar\/|ajv|pg$|ws$|yaml$|node:)/;

/** Measures what a bundled, minified Kafka consumer contains, kafkajs included. The target is its size before `group/`. */
export async function* measure(): AsyncIterable<Measured> {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const bundle = await rolldown({
    cwd,
    input: entry,
    platform: 'node',
    external,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? `${cwd}/${entry}` : null),
        load: (id) => (id === `${cwd}/${entry}` ? program : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  const bytes = output.reduce((sum, file) => sum + (file.type === 'chunk' ? file.code.length : 0), 0);
  await bundle.close();
  yield { case: 'Kafka consumer with kafkajs', ratio: bytes / 1_000, target: 418, unit: 'kB' };
}

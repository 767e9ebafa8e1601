/** What is written of an event. */
export interface Written {
  readonly type: string;
  readonly version: string;
  readonly key: string | null;
  /** The envelope, as it was sent. */
  readonly line: string;
  readonly payload: unknown;
}

/** The envelope, indented. */
export function asJson({ line }: Written): string {
  try {
    return JSON.stringify(JSON.parse(line), null, 2);
  } catch {
    return line;
  }
}

/** The command that sends an event with the same payload, with further options, each after a space. In a quoted here-document nothing means anything to a shell. */
export function asCommand(
  { type, version, payload }: Pick<Written, 'type' | 'version' | 'payload'>,
  options = '',
): string {
  return `npx emulate trigger ${type}-${version}${options} --raw /dev/stdin <<'EOF'\n${JSON.stringify(payload)}\nEOF\n`;
}

/** A handler whose payload the compiler knows. */
export function asHandler({ type, version, payload }: Written): string {
  const names = fieldsOf(payload);
  const taken = names.length === 0 ? '' : `  const { ${names.join(', ')} } = event.payload;\n`;
  const told = names.length === 0 ? 'event.payload' : names.join(', ');
  return `import { on } from 'busbar';

on('${type}', '${version}', (event) => {
${taken}  console.log(${told});
});
`;
}

/** A test that gives this event to a consumer, and looks at what its handler gets. */
export function asTest({ type, version, key, line }: Written): string {
  return `import { createConsumer, memory } from 'busbar';
import { expect, it } from 'vitest';

const event = ${asJson({ line } as Written)};

it('handles ${type} ${version}', async () => {
  const handled: unknown[] = [];
  const consumer = createConsumer();
  // Your handler goes here.
  consumer.on('${type}', '${version}', ({ payload }) => {
    handled.push(payload);
  });

  const transport = memory();
  transport.send({ key: ${JSON.stringify(key)}, value: JSON.stringify(event) });
  transport.end();
  const running = await consumer.run(transport);
  await running.finished;

  expect(handled).toEqual([event.payload]);
});
`;
}

/** Its first fields, as far as they can stand in a pattern. */
function fieldsOf(payload: unknown): string[] {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return [];
  return Object.keys(payload)
    .filter((name) => /^[a-z_$][\w$]*$/i.test(name) && !reserved.has(name))
    .slice(0, 4);
}

const reserved = new Set([
  'class',
  'default',
  'delete',
  'event',
  'function',
  'in',
  'new',
  'package',
  'return',
  'void',
]);

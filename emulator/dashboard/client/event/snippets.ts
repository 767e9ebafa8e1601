import type { TextContent } from '../../posted-payload.js';
import { quoted } from '../run/command-line.js';

/** An event to write as code. */
export interface Written {
  readonly type: string;
  readonly version: string;
  readonly key: string | null;
  /** The envelope, as it was sent. */
  readonly line: string;
  readonly payload: unknown;
}

/** Returns the indented envelope; the line itself if it is not JSON. */
export function asJson({ line }: Written): string {
  try {
    return JSON.stringify(JSON.parse(line), null, 2);
  } catch {
    return line;
  }
}

/**
 * Returns a command that sends an event with the same payload. The shell expands nothing in a quoted here-document.
 * @param options Further options, each after a space.
 */
export function asCommand(
  { type, version, payload }: Pick<Written, 'type' | 'version' | 'payload'>,
  options = '',
): string {
  return `npx emulate trigger ${type}-${version}${options} --raw - <<'EOF'\n${JSON.stringify(payload)}\nEOF\n`;
}

/** Returns a command that sends an event with the same payload by the control API. */
export function asCurl(
  { type, version, payload }: Pick<Written, 'type' | 'version' | 'payload'>,
  url: string,
): string {
  const body = JSON.stringify({ event: `${type}-${version}`, payload });
  return `curl ${url}/emulator/v1/trigger -H 'Content-Type: application/json' --data-binary @- <<'EOF'\n${body}\nEOF\n`;
}

/**
 * Returns a command that writes a record to the broker.
 * @param content The record in the envelope of the emulator.
 */
export function asKcat(
  key: Written['key'],
  { headers, value }: Pick<TextContent, 'headers' | 'value'>,
  servers: string,
): string {
  const options = [
    ...(key === null ? [] : [`-k ${quoted(key)}`]),
    ...Object.entries(headers).map(([name, text]) => `-H ${quoted(`${name}=${text}`)}`),
  ];
  return `kcat -P -b ${servers} -t platform.events ${options.join(' ')} <<'EOF'\n${value}\nEOF\n`;
}

export function asHandler({ type, version, payload }: Written): string {
  const names = fieldsOf(payload);
  const fields = names.length === 0 ? '' : `  const { ${names.join(', ')} } = event.payload;\n`;
  const logged = names.length === 0 ? 'event.payload' : names.join(', ');
  return `import { on } from 'busbar';

on('${type}', '${version}', (event) => {
${fields}  console.log(${logged});
});
`;
}

/** Returns code of a test that delivers this event to a consumer. */
export function asTest({ type, version, key, line }: Written): string {
  return `import { createConsumer } from 'busbar';
import { memory } from 'busbar-emulator/testing';
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

/** Returns the first fields of a payload whose names are identifiers. */
function fieldsOf(payload: unknown): string[] {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return [];
  return Object.keys(payload)
    .filter((name) => /^[a-z_$][\w$]*$/i.test(name) && !reserved.has(name))
    .slice(0, 4);
}

const reserved = new Set('class default delete event function in new package return void'.split(' '));

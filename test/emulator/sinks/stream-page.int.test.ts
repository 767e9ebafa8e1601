import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { decodeClientMessage } from '../../../emulator/sinks/stream/client-message.js';
import { decodeServerFrame } from '../../../src/transports/websocket-frames.js';
import { emissions } from './emissions.js';
import { streamServer } from './stream-server.js';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/reference/stream.md', root), 'utf8');

/** The messages of all example sessions: `C` or `S`, and the text. */
function sessions(): { readonly from: string; readonly text: string }[] {
  return blocks('text').flatMap((block) =>
    block
      .replaceAll(/^ {3}\(.*\)\n/gm, '')
      .split(/^(?=[CS]: )/m)
      .map((message) => ({ from: message.slice(0, 1), text: message.slice(3).trimEnd() })),
  );
}

function blocks(language: string): string[] {
  return Array.from(
    page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms')),
    ([, code]) => code!,
  );
}

describe('the page about the stream', () => {
  it('shows in its sessions every kind of message, each as the code reads it', () => {
    const seen = sessions().map(({ from, text }) => {
      if (from === 'C') return decodeClientMessage(Buffer.from(text), false).type;
      return decodeServerFrame(Buffer.from(text)).type;
    });
    expect(new Set(seen)).toEqual(
      new Set([
        'subscribe',
        'ack',
        'welcome',
        'begin',
        'batch',
        'position',
        'gap',
        'end',
        'error',
      ] satisfies typeof seen),
    );
  });

  it('contains a working client', async () => {
    const { sink, url } = await streamServer();
    const [client] = blocks('js');
    const code = client!.replace('ws://127.0.0.1:4100/events', url);
    expect(code).not.toBe(client);
    const running = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: root,
    });
    await sink.waitForConsumer('example');
    const some = emissions(3);
    await sink.write(some);
    await sink.end();
    const { stdout } = await running;
    expect(stdout.trim().split('\n')).toEqual(
      some.map(({ bytes }, n) => `${n + 1} account.created ${bytes.length}`),
    );
  });
});

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { load } from 'js-yaml';
import { freePort } from '../../examples/start/free-port.js';
import { run } from '../interop/command.js';
import { provideNode } from '../interop/provide.js';
import { buildImages, type Image } from './dockerfile.js';

interface Composed {
  readonly services: Readonly<Record<string, { readonly command: readonly string[] }>>;
}

/**
 * Builds the images of the Dockerfile in folders and starts what compose.yml starts: the emulator becomes healthy, a
 * consumer in a process of its own gets every final bill, and both end on SIGTERM.
 */
export async function playImages(deploy: string, context: string, folder: string): Promise<void> {
  cpSync(join(deploy, 'consumer.mts'), join(context, 'consumer.mts'));
  const dockerfile = readFileSync(join(deploy, 'Dockerfile'), 'utf8');
  const major = Number(/^FROM node:(\d+)/m.exec(dockerfile)?.[1]);
  // Every user of an image can read it there.
  chmodSync(folder, 0o755);
  cpSync(await provideNode(major), join(folder, 'bin/node'));
  const path = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
  const images = await buildImages(dockerfile, context, join(folder, 'images'), path);
  const { services } = load(readFileSync(join(deploy, 'compose.yml'), 'utf8')) as Composed;
  const command = services['emulator']?.command ?? [];
  const stream = ['--scenario', 'house-move', '--instances', '20', '--instant', '--to', 'stdout'];
  if (!command.join(' ').startsWith(stream.slice(0, 5).join(' ')))
    throw new Error('compose.yml plays another run than this test.');

  const [kafka, http, operations] = [await freePort(24_092), await freePort(24_200), await freePort(24_464)];
  const emulator = new Container(images.get('emulator'), {
    BUSBAR_KAFKA_PORT: String(kafka),
    BUSBAR_HTTP_PORT: String(http),
  });
  const consumer = new Container(images.get('consumer'), {
    KAFKA_BROKERS: `127.0.0.1:${kafka}`,
    OPERATIONS_PORT: String(operations),
  });
  try {
    const expected = emulator.output(stream).match(/"event_type":"billing\.final_bill"/g)?.length ?? 0;
    if (expected === 0) throw new Error('The run has no final bill.');
    emulator.start(command);
    await emulator.healthy();
    consumer.start();
    await consumer.lines(/^final bill /, expected);
    await consumer.healthy();
    await consumer.stop(0);
    await emulator.stop(143);
  } finally {
    emulator.kill();
    consumer.kill();
  }
}

/** A process of an image, as its user if this process may change its user. */
class Container {
  readonly #image: Image;
  readonly #options;
  #process: ChildProcess | undefined;
  #errors = '';

  constructor(image: Image | undefined, env: Readonly<Record<string, string>>) {
    if (image === undefined) throw new Error('The Dockerfile lacks this stage.');
    this.#image = image;
    const [uid, gid] = image.user.split(':').map(Number);
    if (!uid) throw new Error('The image runs as root.');
    this.#options = {
      cwd: join(image.root, image.workdir),
      env: { ...image.env, ...env },
      ...(process.getuid?.() === 0 && { uid, gid }),
    };
  }

  output(args: readonly string[]): string {
    const [program = '', ...rest] = [...this.#image.entrypoint, ...args];
    return execFileSync(program, rest, {
      ...this.#options,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    });
  }

  start(args: readonly string[] = this.#image.cmd): void {
    const [program = '', ...rest] = [...this.#image.entrypoint, ...args];
    this.#process = spawn(program, rest, this.#options);
    this.#process.stderr?.on('data', (text) => (this.#errors += String(text)));
  }

  /** Runs the healthcheck until it passes, as a container engine does. @throws Error when the process ends */
  async healthy(): Promise<void> {
    const [program = '', ...args] = this.#image.healthcheck;
    const { cwd, env } = this.#options;
    while ((await run(program, args, { cwd, env })).code !== 0) {
      if (this.#process?.exitCode !== null) throw new Error(`The process ended:\n${this.#errors}`);
    }
  }

  /** Waits for so many lines of the standard output. @throws Error when the process ends before */
  async lines(pattern: RegExp, count: number): Promise<void> {
    let found = 0;
    for await (const line of createInterface({ input: this.#process!.stdout! })) {
      if (pattern.test(line) && ++found === count) return;
    }
    throw new Error(`The process ended after ${found} of ${count} lines:\n${this.#errors}`);
  }

  async stop(expected: number): Promise<void> {
    const ended = once(this.#process!, 'exit');
    this.#process!.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    if (code !== expected)
      throw new Error(`The process ended with ${code}, not ${expected}:\n${this.#errors}`);
  }

  kill(): void {
    this.#process?.kill('SIGKILL');
  }
}

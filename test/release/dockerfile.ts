import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../interop/command.js';
import { lastLine } from '../interop/provide.js';

/** A stage of a Dockerfile, built in a plain folder. */
export interface Image {
  /** The folder that is its root directory. */
  readonly root: string;
  workdir: string;
  env: Readonly<Record<string, string>>;
  user: string;
  healthcheck: readonly string[];
  entrypoint: readonly string[];
  cmd: readonly string[];
}

/**
 * Follows the instructions of a Dockerfile without a container engine: each stage is a folder. Commands run in that
 * folder, on this system, with `path` as their PATH.
 */
export async function buildImages(text: string, context: string, folder: string, path: string) {
  const images = new Map<string, Image>();
  let image: Image | undefined;
  for (const [, word = '', rest = ''] of text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .matchAll(/^(\S+) +(.*)$/gm)) {
    if (word === 'FROM') {
      const [from = '', name = ''] = rest.split(' AS ');
      image = stage(join(folder, name), images.get(from), from, path);
      images.set(name, image);
    } else if (image === undefined) throw new Error(`"${word}" stands before "FROM".`);
    else await follow(image, word, rest, { context, images });
  }
  return images;
}

function stage(root: string, base: Image | undefined, from: string, path: string): Image {
  if (base === undefined && !/^node:\d+\.\d+\.\d+-/.test(from))
    throw new Error(`"${from}" is not a whole version of Node.`);
  mkdirSync(root, { recursive: true });
  if (base !== undefined) cpSync(base.root, root, { recursive: true });
  const empty = { workdir: '/', env: { PATH: path }, user: 'root', healthcheck: [], entrypoint: [], cmd: [] };
  return { ...(base ?? empty), root };
}

async function follow(
  image: Image,
  word: string,
  rest: string,
  { context, images }: { readonly context: string; readonly images: ReadonlyMap<string, Image> },
): Promise<void> {
  const here = join(image.root, image.workdir);
  if (word === 'WORKDIR') {
    image.workdir = rest;
    mkdirSync(join(image.root, rest), { recursive: true });
  } else if (word === 'ENV') {
    image.env = { ...image.env, ...Object.fromEntries(rest.split(' ').map((each) => each.split('='))) };
  } else if (word === 'COPY') {
    const [, from, source = '', target = ''] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(rest) ?? [];
    const origin = from === undefined ? context : (images.get(from)?.root ?? '');
    await shell(`cp -RP ${join(origin, source)} ${join(here, target)}`, here);
  } else if (word === 'RUN') {
    await shell(rest, here, image.env);
  } else if (word === 'USER') image.user = rest;
  else if (word === 'HEALTHCHECK') image.healthcheck = list(rest.replace(/^.*? CMD /, ''));
  else if (word === 'ENTRYPOINT') image.entrypoint = list(rest);
  else if (word === 'CMD') image.cmd = list(rest);
  else if (word !== 'EXPOSE') throw new Error(`No test knows the instruction "${word}".`);
}

async function shell(command: string, cwd: string, env: Image['env'] = {}): Promise<void> {
  const { code, output } = await run('sh', ['-c', command], { cwd, env, timeoutMs: 300_000 });
  if (code !== 0) throw new Error(`"${command}" failed: ${lastLine(output)}`);
}

function list(text: string): readonly string[] {
  return JSON.parse(text) as readonly string[];
}

import { isUtf8 } from 'node:buffer';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BusbarError, reworded, withoutByteOrderMark } from 'busbar/base';
import { brokenLine } from 'busbar/internal/catalogue';
import { type Order, requireValid, type Target, buildPayloads } from '../samples/build-payloads.js';
import { chunksOf } from '../run/recording/read-lines.js';
import { requireSendable } from '../samples/sendable.js';

/** Arguments about payloads. */
export interface PayloadArguments extends Order {
  readonly edit?: boolean | undefined;
  readonly raw?: string | undefined;
  readonly validate: boolean;
}

/** Returns a function that returns the nth payload: drawn, or always the one from `--raw` or the editor. */
export async function payloads(args: PayloadArguments, target: Target): Promise<(nth: number) => unknown> {
  const order = buildPayloads(args, target);
  if (args.raw === undefined && args.edit !== true) return (nth) => order.damage(order.draw(nth));

  let fixed = args.raw === undefined ? order.draw(0) : order.overlay(await readPayload(args.raw), args.raw);
  if (args.edit === true) {
    fixed = await editPayload(fixed, async (edited) => {
      if (args.validate) await requireValid(target, edited);
    });
  }
  return () => order.damage(structuredClone(fixed));
}

/** Largest payload file, in bytes. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Reads a payload from a file with one JSON value; `-` is standard input.
 * @throws BusbarError `invalid-option` for any other file; the message names file and line, never values
 */
async function readPayload(file: string): Promise<unknown> {
  const value = parse(await read(file), file);
  requireSendable(file, value);
  return value;
}

/**
 * Opens a payload in `$EDITOR`, in a new file. If `accept` rejects the edited payload, the file remains and the error
 * names its path.
 */
async function editPayload(payload: unknown, accept: (edited: unknown) => Promise<void>): Promise<unknown> {
  const editor = process.env.EDITOR;
  if (editor === undefined || editor.trim() === '') {
    const advice = 'Set it, e.g. EDITOR=vi, or use --set and --raw.';
    throw new BusbarError(
      'invalid-option',
      `"--edit" needs the variable EDITOR, which is not set. ${advice}`,
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'busbar-'));
  const file = join(folder, 'payload.json');
  await writeFile(file, `${JSON.stringify(payload, null, 2)}\n`, { mode: 0o600 });
  try {
    await openEditor(editor, file);
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
  try {
    const edited = await readPayload(file);
    await accept(edited);
    await rm(folder, { recursive: true });
    return edited;
  } catch (error) {
    throw reworded(error, (message) => `${message} Your text is in "${file}". Send it with --raw.`);
  }
}

async function read(file: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(file, 'Check its path.', file === '-' ? process.stdin : undefined)) {
    size += chunk.length;
    if (size > maxBytes) break;
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (size <= maxBytes && isUtf8(bytes)) return withoutByteOrderMark(bytes.toString());
  const problem =
    size > maxBytes ? `larger than ${maxBytes / 1024 / 1024} MiB` : 'not in UTF-8. Save it as UTF-8';
  throw new BusbarError('invalid-option', `"${file}" is ${problem}.`);
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text. Only the line may be shown.
    throw new BusbarError('invalid-option', `"${file}" is not JSON (line ${brokenLine(text)}).`);
  }
}

/** Runs the editor in a shell, because EDITOR may have arguments. It draws on standard error: standard output has events. */
function openEditor(editor: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(`${editor} "${file}"`, { shell: true, stdio: ['inherit', 2, 2] });
    const failed = (how: string) =>
      reject(new BusbarError('invalid-option', `The editor of "--edit" ${how}, so nothing was sent.`));
    child.once('error', () => failed('could not be started'));
    child.once('exit', (code, signal) => {
      if (code === 0) resolve();
      else failed(signal === null ? `ended with code ${code}` : `was ended by ${signal}`);
    });
  });
}

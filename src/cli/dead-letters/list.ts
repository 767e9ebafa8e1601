import type { DeadLetterError } from '../../transports/transport.js';
import { type ConnectionArguments, connectionFlags, connectionOptions } from '../connection-flags.js';
import type { TextOutput } from '../../base/output.js';
import { type Console, defineCommand, jsonFlag } from '../command.js';
import { textTable } from '../text-table.js';
import { withConnection } from '../connect.js';
import {
  idOf,
  isoTime,
  resolveSelection,
  type SelectedLetter,
  type Selection,
  selectionFlags,
  selectLetters,
} from './select.js';

interface ListArguments extends ConnectionArguments, Selection {
  readonly json?: boolean;
}

export const command = defineCommand({
  flags: { ...connectionFlags, ...selectionFlags, json: jsonFlag },
  examples: ['dead-letters list --brokers localhost:9092 --topic platform.events'],
  run: listDeadLetters,
});

/** Rows that are aligned together; a topic may have more rows than fit into memory. */
const page = 500;

const heads = [
  'ID',
  'DEAD-LETTERED',
  'REASON',
  'ERROR',
  'AT',
  'EVENT',
  'ORIGIN',
  'GROUP',
  'HANDLER',
  'ATTEMPTS',
  'REPLAYED',
];

/** `busbar dead-letters list`: prints one line each, or an array of objects with `json`. Prints no payload values. */
async function listDeadLetters(args: ListArguments, console: Console): Promise<void> {
  const selection = resolveSelection(args);
  console.progress(() => `${selection.seen} dead letters read`);
  await withConnection(connectionOptions(args), async (connection) => {
    const letters = selectLetters(connection, selection);
    if (args.json) await printJson(letters, console);
    else await printTable(letters, selection, console);
  });
}

async function printJson(letters: AsyncIterable<SelectedLetter>, output: TextOutput): Promise<void> {
  let line = '[';
  for await (const letter of letters) {
    output.write(`${line}\n`);
    line = `  ${JSON.stringify(summary(letter))},`;
  }
  output.write(line === '[' ? '[]\n' : `${line.slice(0, -1)}\n]\n`);
}

async function printTable(
  letters: AsyncIterable<SelectedLetter>,
  selection: ReturnType<typeof resolveSelection>,
  output: TextOutput,
): Promise<void> {
  let rows = [heads];
  let count = 0;
  for await (const letter of letters) {
    rows.push(cells(letter));
    count++;
    if (rows.length < page) continue;
    output.write(textTable(rows));
    rows = [];
  }
  if (count > 0 && rows.length > 0) output.write(textTable(rows));
  const { seen, letters: topic } = selection;
  // Shows that a mistyped flag selects none.
  const selected = count === seen ? '' : `${count} of `;
  output.write(`${selected}${seen} ${seen === 1 ? 'dead letter' : 'dead letters'} in ${topic}\n`);
}

/** Returns the fields of a dead letter that contain no personal data. */
export function summary({ record, note, mark }: SelectedLetter) {
  const { origin, code, message, attempts, event, handler, group, error } = note;
  return {
    id: idOf(record),
    deadLetteredAt: isoTime(record.timestamp),
    code,
    message,
    error: error === undefined ? null : withoutText(error),
    event: event ?? null,
    origin: { ...origin, timestamp: isoTime(origin.timestamp) },
    group: group ?? null,
    handler: handler ?? null,
    attempts,
    replayed: mark !== undefined && mark.reason === undefined,
    discarded: mark?.reason === 'discarded',
  };
}

/** Omits the error's message and stack, which may quote a payload. */
function withoutText({ class: name, cause, code, at }: DeadLetterError) {
  return { class: name, cause: cause ?? null, code: code ?? null, at: at ?? null };
}

function cells(letter: SelectedLetter): string[] {
  const { id, deadLetteredAt, code, error, event, origin, group, handler, attempts, replayed, discarded } =
    summary(letter);
  const source = `${origin.topic}/${origin.partition}/${origin.offset}`;
  return [
    id,
    deadLetteredAt,
    code,
    error === null ? '-' : [error.class, error.code].filter((part) => part !== null).join(' '),
    error?.at ?? '-',
    event ?? '-',
    source,
    group ?? '-',
    handler ?? '-',
    String(attempts),
    discarded ? 'discarded' : replayed ? 'yes' : 'no',
  ];
}

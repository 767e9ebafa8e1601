import { deadLetterPrefix } from '../../dead-letter.js';
import type { KafkaConnection } from '../../transports/kafka/client.js';
import { marksTopicOf, readLetter, ReplayMarks } from '../../transports/kafka/stored-dead-letters.js';
import type { DeadLetterError } from '../../transports/transport.js';
import { type ConnectionArguments, connectionFlags, connectionOptions } from '../connection-flags.js';
import { boolean, matching } from '../../base/options.js';
import type { TextOutput } from '../../base/output.js';
import { defineCommand, jsonFlag } from '../command.js';
import { textTable } from '../text-table.js';
import { withConnection } from '../connect.js';
import { summary } from './list.js';
import { noLetter, type SelectedLetter } from './select.js';

interface ShowArguments extends ConnectionArguments {
  /** `TOPIC/PARTITION/OFFSET`, as printed by `list`. */
  readonly id: string;
  /** Whether to print the payload, which is personal data. */
  readonly payload?: boolean;
  readonly json?: boolean;
}

export const command = defineCommand({
  args: {
    id: {
      type: matching(/^[^/]+\/\d{1,9}\/\d{1,16}$/, 'TOPIC/PARTITION/OFFSET, as list prints it'),
      isRequired: true,
      text: 'TOPIC/PARTITION/OFFSET, as list prints it',
    },
  },
  flags: {
    ...connectionFlags,
    payload: { type: boolean, text: 'Print the payload, too. It is personal data' },
    json: jsonFlag,
  },
  examples: ['dead-letters show --brokers localhost:9092 platform.events.dead-letter/0/7'],
  run: showDeadLetter,
});

/** `busbar dead-letters show`: prints a dead letter's cause, origin and headers, and optionally its payload. */
async function showDeadLetter(args: ShowArguments, output: TextOutput): Promise<void> {
  const letter = await withConnection(connectionOptions(args), (connection) => find(connection, args.id));
  const { record, note } = letter;
  const { replayed, discarded } = summary(letter);
  const { origin, error } = note;
  const headers = [...record.headers]
    .filter(([name]) => !name.startsWith(deadLetterPrefix))
    .map(([name, value]) => [name, Buffer.from(value).toString()] as const);
  const payload = record.value === null ? undefined : Buffer.from(record.value).toString();
  if (args.json) {
    const shown = { ...summary(letter), error: error ?? null, headers: Object.fromEntries(headers) };
    output.write(
      `${JSON.stringify({ ...shown, ...(args.payload && { payload: payload ?? null }) }, null, 2)}\n`,
    );
    return;
  }
  const rows = [
    ['code', note.code],
    ['message', note.message],
    ...errorRows(error),
    ['event', note.event ?? '-'],
    ['handler', note.handler ?? '-'],
    ['attempts', String(note.attempts)],
    ['group', note.group ?? '-'],
    ['origin', `${origin.topic}/${origin.partition}/${origin.offset}`],
    ['replayed', discarded ? 'discarded' : replayed ? 'yes' : 'no'],
  ];
  output.write(textTable(rows));
  if (error?.stack !== undefined)
    output.write(`\nstack\n${textTable(error.stack.split('\n').map((line) => [`  ${line}`]))}`);
  if (headers.length > 0) output.write('\nheaders\n');
  output.write(textTable(headers.map(([name, value]) => [`  ${name}`, value])));
  const size = record.value === null ? 'none' : `${record.value.byteLength} bytes`;
  if (!args.payload) output.write(`\npayload: ${size}; --payload prints it. It is personal data.\n`);
  else output.write(payload === undefined ? '\npayload: none\n' : `\n${payload}\n`);
}

function errorRows(error: DeadLetterError | undefined): string[][] {
  if (error === undefined) return [];
  const { class: name, cause, code, at, message } = error;
  return [
    ['error', cause === undefined ? name : `${name}, caused by ${cause}`],
    ['error code', code ?? '-'],
    ['thrown at', at ?? '-'],
    ...(message === undefined ? [] : [['error message', message]]),
  ];
}

async function find(connection: KafkaConnection, id: string): Promise<SelectedLetter> {
  const [topic = '', ...numbers] = id.split('/');
  const [partition = 0, offset = 0] = numbers.map(Number);
  const range = (await connection.rangesOf(topic))?.find((each) => each.partition === partition);
  const isThere = range !== undefined && offset >= range.first && offset < range.end;
  const letter = isThere ? await readLetter(connection, { topic, partition, offset }) : undefined;
  if (letter === undefined) throw noLetter(id);
  const marks = await ReplayMarks.read(connection, marksTopicOf(topic));
  return { ...letter, mark: marks.of(letter.note, letter.record) };
}

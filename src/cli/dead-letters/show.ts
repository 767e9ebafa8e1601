import { deadLetterPrefix, readDeadLetter } from '../../dead-letter.js';
import { BusbarError } from '../../base/errors.js';
import { quoted } from '../../base/quoted.js';
import type { KafkaConnection } from '../../transports/kafka/client.js';
import { marksTopicOf, ReplayMarks } from '../../transports/kafka/stored-dead-letters.js';
import type { DeadLetterError } from '../../transports/transport.js';
import { type ConnectionArguments, connectionOptions } from '../connection-flags.js';
import type { TextOutput } from '../../base/output.js';
import { textTable } from '../text-table.js';
import { withConnection } from './connect.js';
import type { SelectedLetter } from './select.js';

export interface ShowArguments extends ConnectionArguments {
  /** `TOPIC/PARTITION/OFFSET`, as printed by `list`, or only the topic. */
  readonly id: string;
  readonly partition?: number | undefined;
  readonly offset?: number | undefined;
  /** Whether to print the payload, which is personal data. */
  readonly payload: boolean;
}

/** `busbar dead-letters show`: prints a dead letter's cause, origin and headers, and optionally its payload. */
export async function showDeadLetter(args: ShowArguments, output: TextOutput): Promise<void> {
  const id = parseId(args);
  await withConnection(connectionOptions(args), async (connection) => {
    const letter = await find(connection, id);
    const { record, note, isReplayed } = letter;
    const { origin, error } = note;
    const rows = [
      ['code', note.code],
      ['message', note.message],
      ...errorRows(error),
      ['event', note.event ?? '-'],
      ['handler', note.handler ?? '-'],
      ['attempts', String(note.attempts)],
      ['group', note.group ?? '-'],
      ['origin', `${origin.topic}/${origin.partition}/${origin.offset}`],
      ['replayed', isReplayed ? 'yes' : 'no'],
    ];
    output.write(textTable(rows));
    if (error?.stack !== undefined)
      output.write(`\nstack\n${textTable(error.stack.split('\n').map((line) => [`  ${line}`]))}`);
    const headers = [...record.headers].filter(([name]) => !name.startsWith(deadLetterPrefix));
    if (headers.length > 0) output.write('\nheaders\n');
    output.write(textTable(headers.map(([name, value]) => [`  ${name}`, Buffer.from(value).toString()])));
    const size = record.value === null ? 'none' : `${record.value.byteLength} bytes`;
    if (!args.payload) output.write(`\npayload: ${size}; --payload prints it. It is personal data.\n`);
    else
      output.write(
        record.value === null ? '\npayload: none\n' : `\n${Buffer.from(record.value).toString()}\n`,
      );
  });
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

async function find(
  connection: KafkaConnection,
  { topic, partition, offset }: { topic: string; partition: number; offset: number },
): Promise<SelectedLetter> {
  const range = (await connection.rangesOf(topic))?.find((each) => each.partition === partition);
  const isThere = range !== undefined && offset >= range.first && offset < range.end;
  if (isThere) {
    for await (const record of connection.read({ topic, partition, first: offset, end: offset + 1 })) {
      const note = readDeadLetter(record.headers);
      if (note === undefined) break;
      const marks = await ReplayMarks.read(connection, marksTopicOf(topic));
      return { record, note, isReplayed: marks.of(note) !== undefined };
    }
  }
  throw new BusbarError(
    'unknown-topic',
    `There is no dead letter at ${quoted(`${topic}/${partition}/${offset}`)}. See busbar dead-letters list.`,
  );
}

function parseId({ id, partition, offset }: ShowArguments): {
  topic: string;
  partition: number;
  offset: number;
} {
  const [, topic, ...numbers] = /^([^/]+)\/(\d{1,9})\/(\d{1,16})$/.exec(id) ?? [];
  if (topic !== undefined && partition === undefined)
    return { topic, partition: Number(numbers[0]), offset: Number(numbers[1]) };
  if (Number.isInteger(partition) && Number.isInteger(offset) && !id.includes('/'))
    return { topic: id, partition: Number(partition), offset: Number(offset) };
  throw new BusbarError(
    'invalid-option',
    `${quoted(id)} is not a dead letter. Write TOPIC/PARTITION/OFFSET, as printed by list, or three arguments.`,
  );
}

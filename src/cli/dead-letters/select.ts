import { BusbarError } from '../../base/errors.js';
import { quoted } from '../../base/quoted.js';
import type { KafkaConnection } from '../../transports/kafka/client.js';
import {
  deadLetterTopicOf,
  marksTopicOf,
  readLetters,
  ReplayMarks,
  type StoredLetter,
} from '../../transports/kafka/letters.js';
import { parseTime } from '../parse-time.js';

/** Which dead letters a command is about. */
export interface Selection {
  readonly topic: string;
  /** Default `<topic>.dead-letter`. */
  readonly deadLetterTopic?: string | undefined;
  readonly group?: string | undefined;
  /** Catalogue name. */
  readonly only?: string | undefined;
  /** Set aside at this time or later. */
  readonly since?: string | undefined;
}

/** The selection's options, as yargs takes them. */
export const selectionFlags = {
  topic: {
    type: 'string',
    requiresArg: true,
    demandOption: true,
    describe: 'The topic that was consumed',
  },
  'dead-letter-topic': {
    type: 'string',
    requiresArg: true,
    describe: 'Where its dead letters are (TOPIC.dead-letter)',
  },
  group: { type: 'string', requiresArg: true, describe: 'Only those of one consumer group' },
  only: { type: 'string', requiresArg: true, describe: 'Only those of one event, as billing.final_bill-v1' },
  since: {
    type: 'string',
    requiresArg: true,
    describe: 'Only those set aside since a time, as 2026-03-01T12:00:00Z',
  },
} as const;

export interface SelectedLetter extends StoredLetter {
  readonly isReplayed: boolean;
}

/** A selection with its defaults, checked. @throws BusbarError `invalid-option` */
export function resolveSelection({ topic, deadLetterTopic, group, only, since }: Selection) {
  const letters = deadLetterTopic ?? deadLetterTopicOf(topic);
  const from = since === undefined ? Number.NEGATIVE_INFINITY : parseTime('since', since);
  return {
    topic,
    letters,
    marks: marksTopicOf(letters),
    /** Of another topic are those whose dead letters share a topic with these. */
    includes: ({ record, note }: StoredLetter) =>
      note.origin.topic === topic &&
      (group === undefined || note.group === group) &&
      (only === undefined || note.event === only) &&
      record.timestamp >= from,
  };
}

/** The selected dead letters as they lie, copies included. @throws BusbarError `unknown-topic` */
export async function* selectLetters(
  connection: KafkaConnection,
  selection: ReturnType<typeof resolveSelection>,
): AsyncIterable<SelectedLetter> {
  const ranges = await connection.rangesOf(selection.letters);
  if (ranges === undefined) throw noTopic(selection.letters);
  const marks = await ReplayMarks.read(connection, selection.marks);
  for await (const letter of readLetters(connection, ranges)) {
    if (selection.includes(letter)) yield { ...letter, isReplayed: marks.of(letter.note) !== undefined };
  }
}

export function noTopic(name: string): BusbarError {
  return new BusbarError(
    'unknown-topic',
    `Kafka has no topic ${quoted(name)}. Name the topic that was consumed, and --dead-letter-topic where it is another.`,
  );
}

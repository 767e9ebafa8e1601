import { BusbarError, quoted } from '../../base/errors.js';
import { didYouMean, nearest } from '../../base/nearest.js';
import { nonEmptyText } from '../../base/options.js';
import type { KafkaConnection, PartitionOffset } from '../../transports/kafka/client.js';
import type { GroupPositions } from '../../transports/kafka/kafkajs/group-positions.js';
import {
  marksTopicOf,
  readLetters,
  type ReplayMark,
  ReplayMarks,
  type StoredDeadLetter,
} from '../../transports/kafka/stored-dead-letters.js';
import { deadLetterTopicOf } from '../../transports/kafka/dead-letter-topic.js';
import { eventNames, hintCatalogue } from '../event-names.js';
import type { FlagTable } from '../flags.js';
import { parseTime } from '../parse-time.js';

/** Criteria by which a command selects dead letters. */
export interface Selection {
  /** Consumed topic. */
  readonly topic: string;
  /** Topic of the dead letters. Default `<topic>.dead-letter`. */
  readonly deadLetterTopic?: string | undefined;
  readonly group?: string | undefined;
  /** Catalogue name of the event. */
  readonly only?: string | undefined;
  /** Earliest time at which the record was dead-lettered. */
  readonly since?: string | undefined;
  /** `TOPIC/PARTITION/OFFSET` of one dead letter, as printed by `list`. */
  readonly id?: string | undefined;
}

/** Flags of a selection. */
export const selectionFlags: FlagTable<Omit<Selection, 'id'>> = {
  topic: { type: nonEmptyText, isRequired: true, value: '<name>', text: 'Consumed topic', key: 'topics' },
  deadLetterTopic: {
    type: nonEmptyText,
    value: '<name>',
    text: 'Topic of the dead letters, instead of <topic>.dead-letter',
  },
  group: { type: nonEmptyText, value: '<name>', text: 'Select those of one consumer group' },
  only: {
    type: nonEmptyText,
    value: '<event>',
    text: 'Select those of one event, e.g. billing.final_bill-v1',
    complete: eventNames,
  },
  since: {
    type: nonEmptyText,
    value: '<time>',
    text: 'Select those since a time, e.g. 2026-03-01T12:00:00Z',
  },
};

/** {@link selectionFlags} of a command that changes dead letters. */
export const changedFlags: FlagTable<Selection> = {
  ...selectionFlags,
  id: {
    type: nonEmptyText,
    value: '<id>',
    text: 'Select one: TOPIC/PARTITION/OFFSET, as list prints it',
    conflicts: ['group', 'only', 'since'],
  },
};

export interface SelectedLetter extends StoredDeadLetter {
  /** Undefined for a dead letter that was neither replayed nor discarded. */
  readonly mark: ReplayMark | undefined;
}

/** Maximum number of event names that are kept for suggestions. */
const maxEvents = 1_000;

/** Validates a selection and applies defaults. @throws BusbarError `invalid-option` */
export function resolveSelection(criteria: Selection) {
  const { topic, deadLetterTopic, group, only, since, id } = criteria;
  const letters = deadLetterTopic ?? deadLetterTopicOf(topic);
  const from = since === undefined ? Number.NEGATIVE_INFINITY : parseTime('since', since);
  // The topic, too, because several consumed topics may share a dead-letter topic.
  const matches = ({ record, note }: StoredDeadLetter): boolean =>
    note.origin.topic === topic &&
    (id ?? idOf(record)) === idOf(record) &&
    (group ?? note.group) === note.group &&
    (only ?? note.event) === note.event &&
    record.timestamp >= from;
  const selection = {
    criteria,
    topic,
    letters,
    marks: marksTopicOf(letters),
    /** Numbers of dead letters that were compared, and selected. */
    seen: 0,
    selected: 0,
    /** Events of the compared dead letters, at most {@link maxEvents}. */
    events: new Set<string>(),
    includes(letter: StoredDeadLetter): boolean {
      const { event } = letter.note;
      selection.seen++;
      if (event !== undefined && (event === only || selection.events.size < maxEvents))
        selection.events.add(event);
      const isSelected = matches(letter);
      if (isSelected) selection.selected++;
      return isSelected;
    },
  };
  return selection;
}

/** A connection that also knows the consumer groups. */
export type SelectingConnection = KafkaConnection & Pick<GroupPositions, 'isKnown'>;

/**
 * Yields the selected dead letters by partition and offset, copies included. Then checks the criteria.
 * @throws BusbarError `unknown-topic`, and the errors of {@link checkCriteria}
 */
export async function* selectLetters(
  connection: SelectingConnection,
  selection: ReturnType<typeof resolveSelection>,
): AsyncIterable<SelectedLetter> {
  const ranges = await connection.rangesOf(selection.letters);
  if (ranges === undefined) throw noTopic(selection.letters);
  const marks = await ReplayMarks.read(connection, selection.marks);
  for await (const letter of readLetters(connection, ranges)) {
    if (selection.includes(letter)) yield { ...letter, mark: marks.of(letter.note, letter.record) };
  }
  await checkCriteria(connection, selection);
}

export function isoTime(timestamp: number): string {
  const time = new Date(timestamp);
  return Number.isNaN(time.getTime()) ? '-' : time.toISOString();
}

export function idOf({ topic, partition, offset }: PartitionOffset): string {
  return `${topic}/${partition}/${offset}`;
}

/** @param topic Consumed topic, if the command names one. */
export function noLetter(id: string, topic?: string): BusbarError {
  const consumed = topic === undefined ? '' : ` of topic ${quoted(topic)}`;
  const message = `Kafka has no dead letter${consumed} at ${quoted(id)}. See busbar dead-letters list.`;
  return new BusbarError('unknown-topic', message);
}

function noTopic(name: string): BusbarError {
  return new BusbarError(
    'unknown-topic',
    `Kafka has no topic ${quoted(name)}. Correct --topic, or name the dead-letter topic in --dead-letter-topic.`,
  );
}

/**
 * Checks the criteria that selected no dead letter, because one may be mistyped.
 * @throws BusbarError `invalid-option`, `unknown-topic`, `unknown-event`, `unknown-group`
 */
async function checkCriteria(
  connection: SelectingConnection,
  { selected, events, criteria }: ReturnType<typeof resolveSelection>,
): Promise<void> {
  const { id, topic, only, group } = criteria;
  if (selected > 0) return;
  if (id !== undefined) throw noLetter(id, topic);
  if (only !== undefined && !events.has(only)) await requireName(only, [...events]);
  if (group !== undefined && !(await connection.isKnown(group))) throw unknownGroup(group);
}

/** @throws BusbarError `unknown-event` */
async function requireName(only: string, seen: readonly string[]): Promise<void> {
  const names = (await hintCatalogue()).events.map(({ name }) => name);
  if (names.includes(only)) return;
  const hint = didYouMean(nearest(only, [...new Set([...seen, ...names])])) || ' Correct the name.';
  const message = `No dead letter and no event of the catalogue has the name ${quoted(only)}.${hint}`;
  throw new BusbarError('unknown-event', message);
}

export function unknownGroup(group: string): BusbarError {
  const message = `Kafka has no consumer group ${quoted(group)}, and no selected dead letter belongs to it. Correct the name.`;
  return new BusbarError('unknown-group', message);
}

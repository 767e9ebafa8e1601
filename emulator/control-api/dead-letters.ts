import { BusbarError, quoted } from 'busbar/base';
import { deadLetterTopicOf } from 'busbar/internal/dead-letter-topic';
import type { BrokerSink } from '../sinks/broker.js';
import { requireBroker } from './broker.js';
import type { DeadLetterIndex, IndexedLetter } from './dead-letter-index.js';
import type { ControlHandlers } from './document.js';
import type { Operations } from './generated/operations.js';

/** The maximum duration of a replay in milliseconds. The next replay continues. */
const maxReplay = 60_000;

/**
 * Returns the handlers that list and replay the dead letters of the embedded broker's consumers. They use the code of
 * `busbar dead-letters`: it replays each dead letter once, in order, and marks it.
 */
export function deadLetterOperations(broker: BrokerSink | undefined, letters: DeadLetters) {
  /** The last replay. Concurrent replays would send the same dead letters twice. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    async listDeadLetters({ parameters: { topic, group, state, before = Infinity, limit = 100 } }) {
      requireTopic(broker, topic);
      const selected = (await letters()).filter(selector({ topic, group }));
      const page = selected.filter(
        (letter) => (state === undefined || letter.state === state) && letter.number < before,
      );
      const count = (wanted: IndexedLetter['state']) =>
        selected.filter((letter) => letter.state === wanted).length;
      return {
        letters: page.slice(-limit).reverse().map(letterOf),
        total: selected.length,
        pending: count('pending'),
        replayed: count('replayed'),
        failed_again: count('failed-again'),
      };
    },
    replayDeadLetters({ body }) {
      const running = last.then(async () => {
        requireTopic(broker, body.topic);
        return replay(requireBroker(broker), (await letters()).filter(selector(body)), body);
      });
      last = running.catch(() => undefined);
      return running;
    },
  } satisfies Partial<ControlHandlers>;
}

/** Returns the last dead letter of each record, the oldest first. */
export type DeadLetters = () => Promise<readonly IndexedLetter[]>;

export function deadLetters(broker: BrokerSink | undefined): DeadLetters {
  let index: Promise<DeadLetterIndex> | undefined;
  return async () => {
    if (broker === undefined || !hasLetters(broker)) return [];
    // Loads kafkajs, which an emulator without dead letters need not.
    index ??= import('./dead-letter-index.js').then((module) => new module.DeadLetterIndex(broker));
    return (await index).letters();
  };
}

function hasLetters({ broker }: BrokerSink): boolean {
  const { topics } = broker.inspect();
  const names = new Set(topics.map(({ name }) => deadLetterTopicOf(name)));
  return topics.some(
    ({ name, partitions }) => names.has(name) && partitions.some(({ endOffset }) => endOffset > 0),
  );
}

type Wanted = { readonly [name in keyof Operations['replayDeadLetters']['body']]: string | undefined };

function selector({ topic, group, event, id }: Wanted) {
  return ({ cause, ...letter }: IndexedLetter) =>
    (topic === undefined || cause.origin.topic === topic) &&
    (group === undefined || letter.group === group) &&
    (event === undefined || letter.event === event) &&
    (id === undefined || idOf(letter) === id);
}

async function replay(sink: BrokerSink, letters: readonly IndexedLetter[], { group, id }: Wanted) {
  const { inReplayOrder, marksTopicOf, runReplay, unknownGroup, withConnection } = await import(
    'busbar/internal/dead-letters'
  );
  const chosen = letters.filter(({ state }) => state !== 'replayed');
  const result = {
    replayed: 0,
    selected: chosen.length,
    replayed_before: letters.length - chosen.length,
  };
  if (letters.length === 0 && id !== undefined) {
    const message = `Dead letter ${quoted(id)} does not exist, or its record has failed again. GET /dead-letters lists them.`;
    throw new BusbarError('invalid-option', message);
  }
  const { groups } = sink.broker.inspect();
  const isKnown = letters.length > 0 || groups.some((each) => each.id === group);
  if (group !== undefined && !isKnown) throw unknownGroup(group);
  const signal = AbortSignal.timeout(maxReplay);
  const options = { brokers: [sink.bootstrapServers], clientId: 'busbar-emulator' };
  const topics = new Set(chosen.map(({ cause }) => cause.origin.topic));
  if (topics.size === 0) return result;
  await withConnection(options, async (connection) => {
    for (const topic of topics) {
      const own = inReplayOrder(chosen.filter(({ cause }) => cause.origin.topic === topic));
      const selection = { topic, marks: marksTopicOf(deadLetterTopicOf(topic)) };
      result.replayed += await runReplay(connection, { letters: own }, { selection, to: undefined, signal });
    }
  });
  return result;
}

/** @throws BusbarError `unknown-topic` for a topic without a topic for its dead letters */
function requireTopic(broker: BrokerSink | undefined, wanted: string | undefined): void {
  if (wanted === undefined || topicsWithLetters(broker).includes(wanted)) return;
  throw new BusbarError('unknown-topic', `The broker has no dead letters of topic ${quoted(wanted)}.`);
}

/** Returns the topics that have a topic for dead letters. */
function topicsWithLetters(broker: BrokerSink | undefined): string[] {
  const names = new Set(broker?.broker.inspect().topics.map(({ name }) => name));
  return [...names].filter((name) => names.has(deadLetterTopicOf(name)));
}

/** Describes a dead letter without payload values, except those in error messages that the consumer keeps. */
function letterOf(letter: IndexedLetter) {
  const { cause, eventId, number, state, timestamp, note } = letter;
  const { topic, partition, offset } = cause.origin;
  return {
    id: idOf(letter),
    number,
    state,
    replays: note.count - (state === 'replayed' ? 0 : 1),
    dead_lettered_at: new Date(timestamp).toISOString(),
    code: cause.code,
    message: cause.message,
    error: cause.error ?? null,
    event: cause.event ?? null,
    event_id: eventId ?? null,
    handler: cause.handler ?? null,
    attempts: cause.attempts,
    group: cause.group ?? null,
    origin: { topic, partition, offset },
  };
}

function idOf({ topic, partition, offset }: Pick<IndexedLetter, 'topic' | 'partition' | 'offset'>): string {
  return `${topic}/${partition}/${offset}`;
}

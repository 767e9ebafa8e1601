import { BusbarError, grouped, oneAtATime, quoted } from 'busbar/base';
import type { runDiscard as RunDiscard } from 'busbar/internal/dead-letters';
import { deadLetterTopicOf } from 'busbar/internal/dead-letter-topic';
import type { BrokerSink } from '../sinks/broker.js';
import { requireBroker } from './broker.js';
import type { DeadLetterIndex, IndexedLetter, LetterDetails, LetterState } from './dead-letter-index.js';
import type { ControlHandlers } from './document.js';
import type { Operations } from './generated/operations.js';

/** The maximum duration of a replay in milliseconds. The next replay continues. */
const maxReplay = 60_000;

/** The maximum number of listed causes. */
const maxCauses = 100;

/**
 * Returns the handlers that list, replay and discard the dead letters of the embedded broker's consumers. They use the
 * code of `busbar dead-letters`: it replays each dead letter once, in order, and marks it.
 */
export function deadLetterOperations(broker: BrokerSink | undefined, index: DeadLetters) {
  // Concurrent replays would send the same dead letters twice.
  const inTurn = oneAtATime();
  return {
    async listDeadLetters({ parameters: { topic, group, cause, state, before = Infinity, limit = 100 } }) {
      requireTopic(broker, topic);
      const known = await index();
      const ofGroup = ((await known?.letters()) ?? []).filter(selector({ topic, group }));
      const selected = ofGroup.filter(selector({ cause }));
      const listed = selected.filter(
        (letter) => (state === undefined || letter.state === state) && letter.number < before,
      );
      const page = listed.slice(-limit).reverse();
      const details = (await known?.details(page)) ?? new Map<never, never>();
      return {
        letters: page.flatMap((letter) => {
          const found = details.get(letter);
          return found === undefined ? [] : [letterOf(letter, found)];
        }),
        total: selected.length,
        ...countsOf(selected),
        causes: causesOf(ofGroup),
      };
    },
    replayDeadLetters: ({ body }) =>
      inTurn(async () => replay(requireBroker(broker), await select(broker, index, body), body)),
    discardDeadLetters: ({ body }) =>
      inTurn(async () => discard(requireBroker(broker), await select(broker, index, body), body)),
  } satisfies Partial<ControlHandlers>;
}

/** Returns the index of the dead letters; undefined while there are none. */
export type DeadLetters = () => Promise<DeadLetterIndex | undefined>;

export function deadLetters(broker: BrokerSink | undefined): DeadLetters {
  let index: Promise<DeadLetterIndex> | undefined;
  return async () => {
    if (broker === undefined || !hasLetters(broker)) return undefined;
    // Loads code that an emulator without dead letters need not.
    index ??= import('./dead-letter-index.js').then((module) => new module.DeadLetterIndex(broker));
    return index;
  };
}

async function select(
  broker: BrokerSink | undefined,
  index: DeadLetters,
  body: Wanted,
): Promise<readonly IndexedLetter[]> {
  requireTopic(broker, body.topic);
  return ((await (await index())?.letters()) ?? []).filter(selector(body));
}

function countsOf(letters: readonly IndexedLetter[]) {
  const counts = { pending: 0, replayed: 0, failed_again: 0, discarded: 0 };
  for (const { state } of letters) counts[state === 'failed-again' ? 'failed_again' : state]++;
  return counts;
}

/** Returns the causes of dead letters, those of most waiting ones first. */
function causesOf(letters: readonly IndexedLetter[]) {
  return [...grouped(letters, ({ cause }) => cause)]
    .map(([{ id, group, event, handler, code, error, at }, own]) => ({
      id,
      group: group ?? null,
      event: event ?? null,
      handler: handler ?? null,
      code,
      error: error ?? null,
      at: at ?? null,
      ...countsOf(own),
      last_at: new Date(own.at(-1)?.timestamp ?? 0).toISOString(),
    }))
    .sort((one, other) => other.pending + other.failed_again - one.pending - one.failed_again)
    .slice(0, maxCauses);
}

function hasLetters({ broker }: BrokerSink): boolean {
  const { topics } = broker.inspect();
  const names = new Set(topics.map(({ name }) => deadLetterTopicOf(name)));
  return topics.some(
    ({ name, partitions }) => names.has(name) && partitions.some(({ endOffset }) => endOffset > 0),
  );
}

type Wanted = { readonly [name in keyof Operations['replayDeadLetters']['body']]?: string | undefined };

function selector({ topic, group, event, id, cause }: Wanted) {
  return (letter: IndexedLetter) =>
    (topic === undefined || letter.origin.topic === topic) &&
    (group === undefined || letter.cause.group === group) &&
    (event === undefined || letter.cause.event === event) &&
    (cause === undefined || letter.cause.id === cause) &&
    (id === undefined || idOf(letter) === id);
}

/** Letters to replay or discard: those that wait. @throws BusbarError for an id that does not exist */
function waitingIn(letters: readonly IndexedLetter[], { id }: Wanted): readonly IndexedLetter[] {
  if (letters.length === 0 && id !== undefined) {
    const message = `Dead letter ${quoted(id)} does not exist, or its record has failed again. GET /dead-letters lists them.`;
    throw new BusbarError('invalid-option', message);
  }
  return letters.filter(isWaiting);
}

export function isWaiting({ state }: { readonly state: LetterState }): boolean {
  return state === 'pending' || state === 'failed-again';
}

async function replay(sink: BrokerSink, letters: readonly IndexedLetter[], wanted: Wanted) {
  const { runReplay, unknownGroup } = await import('busbar/internal/dead-letters');
  const { group } = wanted;
  const chosen = waitingIn(letters, wanted);
  const { groups } = sink.broker.inspect();
  const isKnown = letters.length > 0 || groups.some((each) => each.id === group);
  if (group !== undefined && !isKnown) throw unknownGroup(group);
  const replayed = await change(sink, chosen, (connection, plan, options) =>
    runReplay(connection, plan, { ...options, to: undefined }),
  );
  return { replayed, selected: chosen.length, replayed_before: countsOf(letters).replayed };
}

async function discard(sink: BrokerSink, letters: readonly IndexedLetter[], wanted: Wanted) {
  const { runDiscard } = await import('busbar/internal/dead-letters');
  const chosen = waitingIn(letters, wanted);
  return { discarded: await change(sink, chosen, runDiscard), selected: chosen.length };
}

/** Changes dead letters, topic by topic, in the order in which the platform sent their records. Returns their number. */
async function change(
  sink: BrokerSink,
  letters: readonly IndexedLetter[],
  act: typeof RunDiscard,
): Promise<number> {
  const { inReplayOrder, marksTopicOf, withConnection } = await import('busbar/internal/dead-letters');
  const signal = AbortSignal.timeout(maxReplay);
  const options = { brokers: [sink.bootstrapServers], clientId: 'busbar-emulator' };
  const topics = new Set(letters.map(({ origin }) => origin.topic));
  let count = 0;
  if (topics.size === 0) return count;
  await withConnection(options, async (connection) => {
    for (const topic of topics) {
      const own = inReplayOrder(letters.filter(({ origin }) => origin.topic === topic).map(plannedOf));
      const selection = { topic, marks: marksTopicOf(deadLetterTopicOf(topic)) };
      count += await act(connection, { letters: own }, { selection, signal });
    }
  });
  return count;
}

function plannedOf({ topic, partition, offset, origin, first, replays, cause }: IndexedLetter) {
  const { group, event } = cause;
  const note = { ...origin, first, count: replays + 1, ...(group !== undefined && { group }) };
  return { topic, partition, offset, note, group, event };
}

/** @throws BusbarError `unknown-topic` for a topic without a topic for its dead letters */
function requireTopic(broker: BrokerSink | undefined, wanted: string | undefined): void {
  const names = new Set(broker?.broker.inspect().topics.map(({ name }) => name));
  if (wanted === undefined || (names.has(wanted) && names.has(deadLetterTopicOf(wanted)))) return;
  throw new BusbarError('unknown-topic', `The broker has no dead letters of topic ${quoted(wanted)}.`);
}

/** Describes a dead letter without payload values, except those in error messages that the consumer keeps. */
function letterOf(letter: IndexedLetter, { note, eventId }: LetterDetails) {
  const { number, state, timestamp, origin, replays } = letter;
  return {
    id: idOf(letter),
    number,
    state,
    replays: replays + (state === 'replayed' ? 1 : 0),
    dead_lettered_at: new Date(timestamp).toISOString(),
    code: note.code,
    message: note.message,
    error: note.error ?? null,
    event: note.event ?? null,
    event_id: eventId ?? null,
    handler: note.handler ?? null,
    attempts: note.attempts,
    group: note.group ?? null,
    origin,
  };
}

function idOf({ topic, partition, offset }: Pick<IndexedLetter, 'topic' | 'partition' | 'offset'>): string {
  return `${topic}/${partition}/${offset}`;
}

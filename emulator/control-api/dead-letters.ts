import { BusbarError, quoted } from 'busbar/base';
import { deadLetterTopicOf } from 'busbar/internal/dead-letter-topic';
import type { SelectedLetter } from 'busbar/internal/dead-letters';
import type { BrokerSink } from '../sinks/broker.js';
import { requireBroker } from './broker.js';
import type { ControlHandlers } from './document.js';
import type { Operations } from './generated/operations.js';

/** The maximum number of dead letters in a response; the newest. */
const maxListed = 500;

/** The maximum duration of a replay in milliseconds. The next replay continues. */
const maxReplay = 60_000;

/**
 * Returns the handlers that list and replay the dead letters of the embedded broker's consumers. They use the code of
 * `busbar dead-letters`: it replays each dead letter once, in order, and marks it.
 */
export function deadLetterOperations(broker: BrokerSink | undefined) {
  /** The last replay. Concurrent replays would send the same dead letters twice. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    async listDeadLetters({ parameters: { topic, group } }) {
      const sources = topicsWithLetters(broker, topic);
      if (broker === undefined || sources.length === 0) return { letters: [], total: 0 };
      // Loads kafkajs, which an emulator without dead letters need not.
      const { resolveSelection, selectLetters, withConnection } = await import(
        'busbar/internal/dead-letters'
      );
      return withConnection(addressOf(broker), async (connection) => {
        const letters: SelectedLetter[] = [];
        let total = 0;
        for (const source of sources) {
          for await (const letter of selectLetters(connection, resolveSelection({ topic: source, group }))) {
            total++;
            letters.push(letter);
            if (letters.length >= 2 * maxListed) keepNewest(letters);
          }
        }
        keepNewest(letters);
        return { letters: letters.map(letterOf), total };
      });
    },
    replayDeadLetters({ body }) {
      const running = last.then(() => replay(broker, body));
      last = running.catch(() => undefined);
      return running;
    },
  } satisfies Partial<ControlHandlers>;
}

type Wanted = Operations['replayDeadLetters']['body'];

async function replay(sink: BrokerSink | undefined, { topic, group, event, id }: Wanted) {
  const broker = requireBroker(sink);
  const { planReplay, resolveSelection, runReplay, unknownGroup, withConnection } = await import(
    'busbar/internal/dead-letters'
  );
  const signal = AbortSignal.timeout(maxReplay);
  return withConnection(addressOf(broker), async (connection) => {
    const result = { replayed: 0, selected: 0, replayed_before: 0 };
    for (const source of topicsWithLetters(broker, topic)) {
      const selection = resolveSelection({ topic: source, group, only: event });
      const includes: typeof selection.includes = (letter) =>
        selection.includes(letter) && (id === undefined || id === idOf(letter));
      const chosen = { ...selection, includes };
      const plan = await planReplay(connection, chosen);
      result.selected += plan.letters.length;
      result.replayed_before += plan.replayedBefore;
      result.replayed += await runReplay(connection, plan, { selection: chosen, to: undefined, signal });
    }
    if (result.selected + result.replayed_before > 0) return result;
    if (id !== undefined) {
      const message = `Dead letter ${quoted(id)} does not exist. GET /dead-letters lists them.`;
      throw new BusbarError('invalid-option', message);
    }
    const { groups } = broker.broker.inspect();
    if (group !== undefined && !groups.some((each) => each.id === group)) throw unknownGroup(group);
    return result;
  });
}

/** Returns the topics that have a topic for dead letters. @throws BusbarError `unknown-topic` */
function topicsWithLetters(broker: BrokerSink | undefined, wanted: string | undefined): string[] {
  const names = new Set(broker?.broker.inspect().topics.map(({ name }) => name));
  const sources = [...names].filter((name) => names.has(deadLetterTopicOf(name)));
  if (wanted === undefined) return sources;
  if (sources.includes(wanted)) return [wanted];
  throw new BusbarError('unknown-topic', `The broker has no dead letters of topic ${quoted(wanted)}.`);
}

/** Returns the options of a connection to the embedded broker. */
function addressOf({ bootstrapServers }: BrokerSink) {
  return { brokers: [bootstrapServers], clientId: 'busbar-emulator' };
}

function keepNewest(letters: SelectedLetter[]): void {
  letters.sort(({ record: one }, { record: other }) => other.timestamp - one.timestamp);
  letters.length = Math.min(letters.length, maxListed);
}

/** Describes a dead letter without payload values, except those in error messages that the consumer keeps. */
function letterOf(letter: SelectedLetter) {
  const { record, note, isReplayed } = letter;
  const eventId = record.headers.get('event-id');
  return {
    id: idOf(letter),
    dead_lettered_at: new Date(record.timestamp).toISOString(),
    code: note.code,
    message: note.message,
    error: note.error ?? null,
    event: note.event ?? null,
    event_id: eventId === undefined ? null : Buffer.from(eventId).toString(),
    handler: note.handler ?? null,
    attempts: note.attempts,
    group: note.group ?? null,
    origin: { topic: note.origin.topic, partition: note.origin.partition, offset: note.origin.offset },
    replayed: isReplayed,
  };
}

function idOf({ record: { topic, partition, offset } }: Pick<SelectedLetter, 'record'>): string {
  return `${topic}/${partition}/${offset}`;
}

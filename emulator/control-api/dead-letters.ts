import type { Router } from 'express';
import type { SelectedLetter } from '../../src/cli/dead-letters/select.js';
import { systemClock } from '../../src/base/clock.js';
import { BusbarError } from '../../src/base/errors.js';
import { silentLogger } from '../../src/base/logger.js';
import { quoted } from '../../src/base/quoted.js';
import type { KafkaConnection } from '../../src/transports/kafka/client.js';
import { deadLetterTopicOf } from '../../src/transports/kafka/letters.js';
import type { BrokerSink } from '../sinks/broker.js';
import { readBody, readQuery } from './read.js';
import { resource } from './resource.js';

/** The newest that one answer lists. */
const mostListed = 500;

/** How long one replay may take, in milliseconds; what is left then is for the next. */
const patience = 60_000;

/**
 * `/dead-letters`: what consumers of the embedded broker have set aside, and replaying it. All of it is done by the code
 * of `busbar dead-letters`, so that what holds there holds here: each letter once, in order, marked as replayed.
 */
export function deadLettersResource(router: Router, broker: BrokerSink | undefined): void {
  /** Two replays at a time would send what both have selected twice. */
  let last: Promise<unknown> = Promise.resolve();

  resource(router, '/dead-letters', {
    async get(request) {
      const { topic, group } = readQuery(request, { topic: 'text', group: 'text' });
      const { selectLetters, resolveSelection } = await import('../../src/cli/dead-letters/select.js');
      const sources = topicsWithLetters(broker, topic);
      if (broker === undefined || sources.length === 0) return { body: { letters: [], total: 0 } };
      return withConnection(broker, async (connection) => {
        const letters: SelectedLetter[] = [];
        let total = 0;
        for (const source of sources) {
          for await (const letter of selectLetters(connection, resolveSelection({ topic: source, group }))) {
            total++;
            letters.push(letter);
            if (letters.length >= 2 * mostListed) keepNewest(letters);
          }
        }
        keepNewest(letters);
        return { body: { letters: letters.map(letterOf), total } };
      });
    },
  });

  resource(router, '/dead-letters/replay', {
    async post(request) {
      const given = readBody(request, { topic: 'text', group: 'text', event: 'text', id: 'text' });
      const running = last.then(() => replay(broker, given));
      last = running.catch(() => undefined);
      return { body: await running };
    },
  });
}

/** What is to be replayed. Default: everything that was not yet. */
interface Wanted {
  readonly topic?: string;
  readonly group?: string;
  readonly event?: string;
  /** One letter: `TOPIC/PARTITION/OFFSET`. */
  readonly id?: string;
}

async function replay(broker: BrokerSink | undefined, { topic, group, event, id }: Wanted) {
  if (broker === undefined) {
    throw new BusbarError('invalid-option', 'This emulator has no broker: leave out --no-broker.');
  }
  const { carryOutReplay, planReplay } = await import('../../src/cli/dead-letters/replay-letters.js');
  const { resolveSelection } = await import('../../src/cli/dead-letters/select.js');
  const signal = AbortSignal.timeout(patience);
  return withConnection(broker, async (connection) => {
    const answer = { replayed: 0, selected: 0, replayed_before: 0 };
    for (const source of topicsWithLetters(broker, topic)) {
      const selection = resolveSelection({ topic: source, group, only: event });
      const includes: typeof selection.includes = (letter) =>
        selection.includes(letter) && (id === undefined || id === idOf(letter));
      const chosen = { ...selection, includes };
      const plan = await planReplay(connection, chosen);
      answer.selected += plan.letters.length;
      answer.replayed_before += plan.replayedBefore;
      answer.replayed += await carryOutReplay(connection, plan, { selection: chosen, to: undefined, signal });
    }
    if (id !== undefined && answer.selected + answer.replayed_before === 0) {
      throw new BusbarError('invalid-option', `There is no dead letter ${quoted(id)}: see /dead-letters.`);
    }
    const { groups } = broker.broker.inspect();
    const isNothing = answer.selected + answer.replayed_before === 0;
    if (isNothing && group !== undefined && !groups.some((each) => each.id === group)) {
      const { unknownGroup } = await import('../../src/cli/dead-letters/require-group.js');
      throw unknownGroup(group);
    }
    return answer;
  });
}

/** Topics of the broker whose dead letters have a topic. @throws BusbarError `unknown-topic` */
function topicsWithLetters(broker: BrokerSink | undefined, wanted: string | undefined): string[] {
  const names = new Set(broker?.broker.inspect().topics.map(({ name }) => name));
  const sources = [...names].filter((name) => names.has(deadLetterTopicOf(name)));
  if (wanted === undefined) return sources;
  if (sources.includes(wanted)) return [wanted];
  throw new BusbarError('unknown-topic', `The broker has no dead letters of a topic ${quoted(wanted)}.`);
}

async function withConnection<T>(
  { bootstrapServers }: BrokerSink,
  use: (connection: KafkaConnection) => Promise<T>,
): Promise<T> {
  const { kafkajsClientOf } = await import('../../src/transports/kafka/kafkajs/kafkajs-client.js');
  const client = kafkajsClientOf({ brokers: [bootstrapServers], clientId: 'busbar-emulator' });
  const connection = await client.connect({ clock: systemClock, logger: silentLogger });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

function keepNewest(letters: SelectedLetter[]): void {
  letters.sort(({ record: one }, { record: other }) => other.timestamp - one.timestamp);
  letters.length = Math.min(letters.length, mostListed);
}

/** Never a value of a payload, unless the consumer keeps the messages of errors that quote one. */
function letterOf(letter: SelectedLetter) {
  const { record, note, isReplayed } = letter;
  const eventId = record.headers.get('event-id');
  return {
    id: idOf(letter),
    set_aside_at: new Date(record.timestamp).toISOString(),
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

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createConsumer,
  envelopeNames,
  eventBridgeEnvelope,
  openCatalogue,
  openEnvelope,
  recordHeaders,
  silentLogger,
} from 'busbar';
import { kafka } from 'busbar/kafka';
import { websocket } from 'busbar/websocket';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type EmulatorOptions,
  type OutgoingEvent,
  replayRecording,
  type Sink,
  startEmulator,
} from '../../../emulator/index.js';

const folder = mkdtempSync(join(tmpdir(), 'busbar-in-envelope-'));
afterAll(() => rmSync(folder, { recursive: true }));
const catalogue = openCatalogue();
const faults = 'duplicate=10%,reorder=20%:30s,drop=5%,corrupt=10%,invalid=5%,unknown-event=5%';
const options = { scenario: 'house-move', instances: 10, faults, speed: 'instant' } as const;

function keeping() {
  const emissions: OutgoingEvent[] = [];
  const sink: Sink = {
    name: 'keeping',
    write: (batch) => void emissions.push(...batch),
    end: () => undefined,
    close: () => Promise.resolve(),
  };
  return { sink, emissions };
}

async function play(more: EmulatorOptions = {}): Promise<OutgoingEvent[]> {
  const { sink, emissions } = keeping();
  const emulator = await startEmulator({ ...options, sinks: [sink], logger: silentLogger, ...more });
  await emulator.finished.finally(() => emulator.stop());
  return emissions;
}

const sent = ({ bytes, headers, key }: OutgoingEvent) => ({ value: bytes.toString('latin1'), headers, key });

async function reading(name: string) {
  const codec = await openEnvelope(name);
  return ({ bytes, headers }: OutgoingEvent) => {
    const about = { topic: '', partition: 0, offset: 0, timestamp: 0, key: null };
    const record = { ...about, value: bytes, headers: recordHeaders(headers) };
    try {
      const { type, version, id, occurredAt, payload } = codec.decode(record, undefined, catalogue);
      return { name: `${type}${version && `-${version}`}`, id, occurredAt, payload };
    } catch {
      return 'undecodable';
    }
  };
}

describe('a run in an envelope', () => {
  it.each(envelopeNames)('sends the same events and faults: %s', async (name) => {
    const expected = (await play()).map(await reading('busbar'));
    const emissions = await play({ envelope: await openEnvelope(name) });
    expect(emissions.map(await reading(name))).toEqual(expected);
    expect(expected).toContain('undecodable');
  });

  it('keeps the recording, which replays in any envelope', async () => {
    const file = (name: string) => join(folder, name);
    await play({ run: { record: file('default') } });
    const envelope = eventBridgeEnvelope();
    const played = await play({ run: { record: file('eventbridge') }, envelope });
    expect(readFileSync(file('eventbridge'), 'utf8')).toBe(readFileSync(file('default'), 'utf8'));

    const { sink, emissions } = keeping();
    const replay = await replayRecording({
      file: file('default'),
      speed: 'instant',
      sinks: [sink],
      envelope,
    });
    await replay.finished.finally(() => replay.stop());
    const readable = ({ faults: done }: OutgoingEvent) => !done.includes('corrupt');
    expect(emissions.filter(readable).map(sent)).toEqual(played.filter(readable).map(sent));
    expect(emissions).toHaveLength(played.length);
  });

  it('encodes each event once for all sinks', async () => {
    const codec = eventBridgeEnvelope();
    let encoded = 0;
    const counting: typeof codec = {
      ...codec,
      encode: (event) => {
        encoded++;
        return codec.encode(event);
      },
    };
    const other = keeping();
    const { sink, emissions } = keeping();
    await play({ envelope: counting, sinks: [sink, other.sink] });
    expect(other.emissions.map(sent)).toEqual(emissions.map(sent));
    expect(encoded).toBe(emissions.length);
  });

  it('uses the envelope of the topic of each sink', async () => {
    const envelope = await openEnvelope({ other: 'eventbridge', default: 'cloudevents' });
    const [usual, other] = [keeping(), keeping()];
    await play({ envelope, sinks: [usual.sink, { ...other.sink, topicOf: () => 'other' }] });
    const expected = (await play()).map(await reading('busbar'));
    expect(usual.emissions.map(await reading('cloudevents'))).toEqual(expected);
    expect(other.emissions.map(await reading('eventbridge'))).toEqual(expected);
  });

  it('reaches consumers of the broker and of the stream', async () => {
    const emulator = await startEmulator({
      scenario: 'house-move',
      speed: 'instant',
      envelope: eventBridgeEnvelope(),
      kafka: { port: 0 },
      http: { port: 0 },
      run: { paused: true },
      logger: silentLogger,
    });
    const brokers = [emulator.bootstrapServers!];
    const transports = [
      kafka({ brokers, groupId: 'reader', topics: ['platform.events'], fromBeginning: true }),
      websocket({ url: emulator.streamUrl!, consumer: 'reader' }),
    ];
    const runs = transports.map(async (transport) => {
      const consumer = createConsumer({ catalogue, envelope: eventBridgeEnvelope(), logger: silentLogger });
      const first = new Promise((resolve) => {
        consumer.onAny(({ type, id, occurredAt }) =>
          resolve([catalogue.hasType(type), typeof id, typeof occurredAt]),
        );
      });
      const running = await consumer.run(transport);
      return { first, running };
    });
    const started = await Promise.all(runs);
    emulator.run.resume();
    const seen = await Promise.all(started.map(({ first }) => first));
    for (const { running } of started) await running.stop();
    await emulator.stop();
    for (const event of seen) expect(event).toEqual([true, 'string', 'string']);
  });

  it('fails when its codec cannot encode', async () => {
    const { encode: _encode, ...codec } = eventBridgeEnvelope();
    await expect(play({ envelope: codec })).rejects.toThrow(
      'Envelope "eventbridge" cannot be sent. Give its codec the method "encode".',
    );
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import { createConsumer } from '../../src/index.js';
import { startBroker } from '../../emulator/broker/index.js';
import {
  defineScenario,
  fileSink,
  kafkaSink,
  replayRecording,
  startCheck,
  startEmulator,
  webhookSink,
} from '../../emulator/index.js';
import {
  createSamples,
  createTestBench,
  describeContract,
  replayFailure,
  sample,
  samples,
  verifyConsumer,
} from '../../emulator/testing/index.js';
import { type Call, describeOptions, type Described, refusal } from '../options-of.js';

const consumer = createConsumer();
const emulator = await startEmulator({ kafka: { port: 0 }, http: false });
const bench = createTestBench(consumer);
afterAll(async () => {
  await emulator.stop();
  await bench.stop();
});

/** Every public function of the emulator that takes options, with those that it cannot do without. */
const functions: readonly Described[] = [
  ['startEmulator()', startEmulator, {}],
  ['replayRecording()', replayRecording, { file: 'run.ndjson' }],
  ['start()', (options) => emulator.start('house-move', options), {}],
  ['sample() of an emulator', (options) => emulator.sample('account.created', options), {}],
  ['trigger()', (options) => emulator.trigger('account.created', options), {}],
  ['setPace()', (options) => emulator.setPace(options), {}],
  ['reset()', (options) => emulator.reset(options), {}],
  ['consumed()', (options) => emulator.consumed(options), { groupId: 'billing' }],
  [
    'defineScenario()',
    defineScenario,
    { name: 'a', title: 'b', description: 'c', branches: {}, run: function* () {} },
  ],
  ['startCheck()', startCheck, {}],
  ['fileSink()', fileSink, { path: 'events.ndjson' }],
  ['kafkaSink()', kafkaSink, { brokers: ['127.0.0.1:9092'] }],
  ['webhookSink()', webhookSink, { url: 'http://127.0.0.1/' }],
  ['startBroker()', startBroker, {}],
  ['createTestBench()', (options) => createTestBench(consumer, options), {}],
  ['deliver()', (options) => bench.deliver('account.created', 'v1', {} as never, options), {}],
  ['play()', (options) => bench.play('house-move', options), {}],
  ['sample()', (options) => sample('account.created', 'v1', {}, options), {}],
  ['samples()', (options) => samples('account.created', 'v1', options), {}],
  ['createSamples()', createSamples, {}],
  ['verifyConsumer()', (options) => verifyConsumer(consumer, options), {}],
  ['describeContract()', (options) => describeContract(consumer, options), {}],
  ['replayFailure()', (options) => replayFailure(consumer, {} as never, options), {}],
];

describeOptions('options of the emulator', functions, ['data']);

describe('startEmulator()', () => {
  it.each([
    [{ kafka: { port: 'x' } }, '"kafka.port" must be a whole number from 0 to 65535, not "x".'],
    [{ http: { hots: '::1' } }, 'there is no option "http.hots". Did you mean "host"?'],
    [{ run: { paused: 1 } }, '"run.paused" must be true or false, not 1.'],
    [{ kafka: true }, '"kafka" must be an object or false, not true.'],
    [{ http: false, platformApi: {} }, 'Option "platformApi" needs the HTTP server. Set "http".'],
  ])('names the path of a nested option: %j', async (options, message) => {
    expect(await refusal(startEmulator, options)).toContain(message);
  });
});

describe('trigger()', () => {
  it('keeps the values of a trigger out of messages', async () => {
    const call: Call = (options) => emulator.trigger('account.created', options);
    expect(await refusal(call, { payload: 'A-1B2C3D4E' })).toBe(
      '"account.created-v1" would not be valid: "payload" must be object (rule "type"). Fix it, or send it with --no-validate.',
    );
    expect(await refusal(call, { set: 'A-1B2C3D4E' })).not.toContain('A-1B2C3D4E');
  });
});

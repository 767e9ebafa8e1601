import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { virtualClock } from 'busbar/base';
import { metrics } from 'busbar/operations';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { account, accountUpdated, handledBy, message, playOut, setUp } from '../account-consumer.js';
import { accountCreated, documentIssuedV1 } from '../records.js';
import { samplesOf, served } from './served.js';

const quick = { retry: { attempts: 2, backoff: { initial: 1_000, jitter: 'none' } } } as const;

describe('/metrics', () => {
  it('counts handled, retried, dead-lettered and skipped records', async () => {
    const clock = virtualClock();
    const meter = await metrics();
    const { transport, run } = setUp((number, { attempt }) => {
      if (number === 'bad' || (number === 'late' && attempt === 1)) throw new Error('no');
    }, quick);
    transport.send(account('1'), account('late'), account('bad'), accountUpdated);
    const running = await run({ clock, observer: meter });
    await playOut(running, clock);
    const { ask } = await served(running, { metrics: meter });
    const { response, text } = await ask('/metrics');
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const created = 'event="account.created-v1",handler="account.created-v1"';
    expect(samplesOf(text)).toMatchObject({
      [`busbar_handled_total{${created}}`]: 2,
      [`busbar_retried_total{${created}}`]: 2,
      [`busbar_dead_lettered_total{${created},code="handler-failed"}`]: 1,
      'busbar_skipped_total{reason="unhandled"}': 1,
      'busbar_handler_duration_seconds_count{handler="account.created-v1",outcome="handled"}': 2,
      'busbar_handler_duration_seconds_count{handler="account.created-v1",outcome="failed"}': 3,
      busbar_healthy: 1,
      busbar_ready: 1,
    });
  });

  it('shows window, oldest record and blockage of each partition', async () => {
    const clock = virtualClock();
    const meter = await metrics();
    const { transport, run } = setUp(() => Promise.reject(new Error('no')), {
      retry: { maxElapsed: 1e9, backoff: { initial: 3_600_000, max: 3_600_000, jitter: 'none' } },
    });
    transport.send(account('1'), account('2'));
    const running = await run({ clock, observer: meter, window: 4 });
    await running.idle();
    const partition = '{topic="platform.events",partition="0"}';
    clock.advance(90_000);
    expect(samplesOf(await meter.text())).toMatchObject({
      [`busbar_oldest_unsettled_seconds${partition}`]: 90,
      [`busbar_unsettled_records${partition}`]: 2,
      [`busbar_window_used_ratio${partition}`]: 0.5,
      [`busbar_partition_blocked${partition}`]: 0,
      [`busbar_partition_stopped${partition}`]: 0,
      busbar_backing_off_lanes: 1,
      busbar_running_handlers: 0,
      busbar_healthy: 1,
    });
    transport.send(account('3'), account('4'));
    await running.idle();
    expect(samplesOf(await meter.text())).toMatchObject({
      [`busbar_window_used_ratio${partition}`]: 1,
      [`busbar_partition_blocked${partition}`]: 1,
      busbar_healthy: 0,
      busbar_ready: 1,
    });
    await running.stop();
    expect(samplesOf(await meter.text())).toMatchObject({ busbar_ready: 0 });
  });

  it('counts drift from the catalogue', async () => {
    const meter = await metrics();
    const { transport, run } = setUp(() => undefined);
    const payload = { account_number: 'A-1', account_user_emails: [], fresh: { of: 'A-5EC7E7' } };
    transport.send(message({ ...accountCreated, payload }));
    transport.send(message({ ...accountCreated, payload: { account_user_emails: 'A-5EC7E7' } }));
    transport.send(message({ ...accountCreated, payload: {} }));
    transport.end();
    const running = await run({ observer: meter });
    await running.finished;
    const text = await meter.text();
    const event = 'event="account.created-v1"';
    expect(samplesOf(text)).toMatchObject({
      [`busbar_unknown_fields_total{${event}}`]: 1,
      [`busbar_invalid_total{${event},rule="required"}`]: 2,
      [`busbar_invalid_total{${event},rule="type"}`]: 1,
      busbar_unknown_events_total: 0,
    });
    expect(text).not.toContain('A-5EC7E7');
  });

  it('checks the fields of the first and each sixteenth event after it', async () => {
    const meter = await metrics();
    const { transport, run } = setUp(() => undefined);
    const payload = { account_number: 'A-1', account_user_emails: [], fresh: 1 };
    const sent = Array.from({ length: 33 }, () => message({ ...accountCreated, payload }));
    transport.send(...sent);
    const running = await run({ observer: meter });
    await handledBy(running, 33);
    expect(samplesOf(await meter.text())).toMatchObject({
      'busbar_unknown_fields_total{event="account.created-v1"}': 3,
    });
  });

  it('labels events only by names of the catalogue', async () => {
    const meter = await metrics();
    const policies = { unknownEvents: 'dead-letter' } as const;
    const { transport, run } = setUp(() => undefined, { policies });
    for (let n = 0; n < 50; n++) transport.send(message({ ...documentIssuedV1, type: `made.up-${n}` }));
    transport.send({ value: 'no event' });
    transport.end();
    const running = await run({ observer: meter });
    await running.finished;
    const text = await meter.text();
    expect(text).not.toContain('made.up');
    expect(samplesOf(text)).toMatchObject({
      busbar_unknown_events_total: 50,
      'busbar_dead_lettered_total{event="other",handler="",code="unknown-record"}': 50,
      'busbar_dead_lettered_total{event="other",handler="",code="undecodable-record"}': 1,
    });
  });
});

describe('metrics', () => {
  it('register once in a custom registry, next to its metrics', async () => {
    const registry = new Registry();
    registry.setDefaultLabels({ consumer: 'billing' });
    const meter = await metrics({ registry });
    const { run } = setUp(() => undefined);
    await run({ observer: [meter] });
    expect(meter.registry).toBe(registry);
    expect(samplesOf(await registry.metrics())).toMatchObject({ 'busbar_ready{consumer="billing"}': 1 });
    await expect(metrics({ registry })).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining('Give each consumer its own registry.'),
    });
  });

  it('match docs/guides/monitoring.md in type, labels and meaning', async () => {
    const registry = new Registry();
    await metrics({ registry });
    const documented = readFileSync(new URL('../../../docs/guides/monitoring.md', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `busbar_'))
      .map((line) =>
        line
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => cell.trim()),
      );
    const declared = registry
      .getMetricsAsArray()
      .map((metric) => metric as unknown as Declared)
      .map(({ name, type, labelNames, help }) => [
        `\`${name}\``,
        type ?? kindOf(name),
        labelNames
          .filter((label) => label !== 'le')
          .map((label) => `\`${label}\``)
          .join(', '),
        help,
      ]);
    expect(documented).toEqual(declared);
  });
});

describe('without its optional package', () => {
  it.each([
    ['metrics', 'prom-client'],
    ['traces', '@opentelemetry/api'],
  ])('names the command that installs it: %s(), %s', (name, missing) => {
    const hooks = `
      export async function resolve(specifier, context, next) {
        if (specifier !== ${JSON.stringify(missing)}) return next(specifier, context);
        throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
      }`;
    const script = `
      import { register } from 'node:module';
      register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}));
      const operations = await import('busbar/operations');
      await operations.${name}().catch(({ code, message }) => console.log(code + ': ' + message));`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: join(import.meta.dirname, '../../..'),
      encoding: 'utf8',
    });
    expect(output).toBe(
      `missing-package: ${name}() needs the package "${missing}", which is not installed. Run: npm install ${missing}\n`,
    );
  });
});

interface Declared {
  readonly name: string;
  readonly help: string;
  readonly type?: string;
  readonly labelNames: readonly string[];
}

function kindOf(name: string): string {
  if (name.endsWith('_total')) return 'counter';
  return name.endsWith('_duration_seconds') ? 'histogram' : 'gauge';
}

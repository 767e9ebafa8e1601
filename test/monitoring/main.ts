/**
 * `npm run test:monitoring [-- --part i/n]`: Prometheus' own tool plays the alerts of docs/guides/monitoring.md on
 * made-up series, and reads a page of metrics of a consumer. A part plays every n-th case.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createConsumer, silentLogger } from 'busbar';
import { memory } from 'busbar/internal/memory';
import { metrics } from 'busbar/operations';
import { run } from '../interop/command.js';
import { Outcomes } from '../interop/outcomes.js';
import { providePromtool, Unavailable } from '../interop/provide.js';
import { partOf } from '../part.js';
import { blocksOf } from '../read-blocks.js';
import { account, message } from '../src/account-consumer.js';
import { accountCreated } from '../src/records.js';
import { type Case, cases } from './cases.js';

const { values } = parseArgs({ options: { part: { type: 'string' } } });
const outcomes = new Outcomes();
const folder = mkdtempSync(join(tmpdir(), 'busbar-monitoring-'));
try {
  const promtool = await providePromtool();
  const rules = blocksOf('docs/guides/monitoring.md').find(({ language }) => language === 'yaml')?.code ?? '';
  writeFileSync(
    join(folder, 'rules.yml'),
    `groups:\n- name: busbar\n  rules:\n${rules.replaceAll(/^/gm, '  ')}`,
  );
  for (const each of partOf(cases, values.part)) await play(promtool, each);
  for (const [, alert = ''] of rules.matchAll(/alert: (\w+)/g)) requireCases(alert);
  await checkPage(promtool);
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  outcomes.notRun('promtool', error.message);
} finally {
  rmSync(folder, { recursive: true });
}
outcomes.summarise();

async function play(promtool: string, { alert, when, series, at, fires }: Case): Promise<void> {
  const file = join(folder, 'test.yml');
  // JSON is YAML.
  const test = {
    rule_files: ['rules.yml'],
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        alert_rule_test: [
          {
            eval_time: `${at}m`,
            alertname: alert,
            exp_alerts: fires.map((labels) => ({ exp_labels: labels })),
          },
        ],
      },
    ],
  };
  writeFileSync(file, JSON.stringify(test));
  const { code, output } = await run(promtool, ['test', 'rules', file]);
  const what = `${alert} ${fires.length > 0 ? 'fires' : 'stays silent'} when ${when}`;
  if (code === 0) outcomes.passed(what);
  else outcomes.failed(what, output);
}

function requireCases(alert: string): void {
  const own = cases.filter((each) => each.alert === alert);
  const kinds = new Set(own.map(({ fires }) => fires.length > 0));
  if (kinds.size < 2) outcomes.failed(alert, 'needs a case in which it fires, and one in which it does not');
}

async function checkPage(promtool: string): Promise<void> {
  const meter = await metrics();
  const consumer = createConsumer({ logger: silentLogger });
  consumer.on('account.created', 'v1', () => undefined);
  const transport = memory();
  transport.send(account('1'), message({ ...accountCreated, payload: {} }));
  transport.end();
  const running = await consumer.run(transport, { observer: meter });
  await running.finished;
  const { code, output } = await run(promtool, ['check', 'metrics'], { input: await meter.text() });
  if (code === 0) outcomes.passed('a page of metrics is one that Prometheus reads');
  else outcomes.failed('a page of metrics', output);
}

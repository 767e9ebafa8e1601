import { describe, expect, it, onTestFinished } from 'vitest';
import { createConsumer, silentLogger } from '../../../src/index.js';
import { kafka } from '../../../src/transports/kafka/index.js';
import { emulator, openPage, untilText } from './open-page.js';

describe('the start page', () => {
  it('starts a scenario at a click, and gives way to its events', async () => {
    const { url, run } = await emulator();
    const page = await openPage(url);
    await page.getByRole('button', { name: 'Start billing-cycle' }).waitFor();
    expect(await page.locator('.offers li').count()).toBe(4);
    await page.getByRole('button', { name: 'Start house-move' }).click();
    await page.getByTestId('events').getByRole('option').first().waitFor();
    expect([...run.summary.byBranch.keys()].every((each) => each.startsWith('house-move'))).toBe(true);
  });

  it.each(['/', '/?view=consumers'])(
    'shows programs with the live address, and who joins, at %s',
    async (path) => {
      const { url, bootstrapServers } = await emulator({ kafka: { port: 0 } });
      const page = await openPage(url + path);
      await untilText(page, 'joined', 'Waiting for your consumer');
      for (const language of ['Python', 'Java', 'kcat', 'TypeScript']) {
        await page.getByRole('button', { name: language, exact: true }).click();
        await page.getByLabel(`A consumer as ${language}`).getByText(bootstrapServers!).waitFor();
      }
      const consumer = createConsumer({ logger: silentLogger });
      consumer.onAny(() => undefined);
      const running = await consumer.run(
        kafka({ brokers: [bootstrapServers!], groupId: 'ledger', topics: ['platform.events'] }),
      );
      onTestFinished(() => running.stop());
      if (path === '/') await untilText(page, 'joined', 'Consumer ledger is connected');
      else await page.getByTestId('group-ledger').waitFor();
    },
  );

  it('offers the stream without a broker, and no scenarios for a run that has some', async () => {
    const { url } = await emulator({ scenario: 'house-move', run: { paused: true } });
    const page = await openPage(url);
    await page.getByText('The run is paused.').waitFor();
    const code = page.getByLabel('A consumer as TypeScript');
    await code.getByText(`url: '${url.replace('http', 'ws')}/events'`).waitFor();
    expect(await page.locator('.offers').count()).toBe(0);
  });
});

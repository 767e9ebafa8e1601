import { describe, expect, it } from 'vitest';
import { Plan } from '../../../emulator/run/plan.js';
import { emulator, move, openPage, paused, untilText } from './open-page.js';

const unknown = { ...move, branches: { told: 'web', occupier: 'unknown' } };

/** Returns the types of the events of a run, in order. */
function typesOf(branches: Readonly<Record<string, string>>): string[] {
  const plan = new Plan({ ...unknown, branches });
  return [...plan.timeline(1, Infinity)].map(({ occurrence }) => occurrence.type);
}

describe('another outcome', () => {
  it('shows both futures next to each other after three clicks, and changes no run', async () => {
    const branches = { ...unknown.branches, outcome: 'moved' };
    const { url, run } = await emulator({ ...paused, branches });
    run.step(5);
    const page = await openPage(url);
    await page.getByRole('link', { name: 'Journeys' }).click();
    await page.getByRole('link', { name: 'Customer 1' }).click();
    await page.getByRole('link', { name: 'outcome moved' }).click();
    const shown = (title: string) =>
      page.getByTestId('what-if').getByRole('region', { name: title }).locator('li .type').allTextContents();
    await expect.poll(() => shown('Instead')).toContain('lifecycle.leave-supplier.cancelled');
    for (const [title, outcome] of [
      ['As it is', 'moved'],
      ['Instead', 'cancelled'],
    ] as const) {
      const types = await shown(title);
      expect(types).toEqual(typesOf({ ...branches, outcome }).slice(-types.length));
    }
    await page.getByText(/^The first \d+ events have the same type and time.*diverge at 2026-03-/).waitFor();
    await page.getByTestId('what-if').getByText('--branch outcome=cancelled').waitFor();
    await page.getByRole('button', { name: 'reversed' }).click();
    await expect.poll(() => shown('Instead')).not.toContain('lifecycle.leave-supplier.cancelled');
    expect(new URL(page.url()).searchParams.get('instead')).toBe('house-move#1 outcome reversed');
    expect(run.summary.events).toBe(Number(await page.getByTestId('sent').textContent()));
    await page.goBack();
    await page.getByTestId('what-if').waitFor({ state: 'detached' });
  });

  it.each(['house-move%231+outcome+nope', 'house-move%231+nope+moved', 'house-move%239+outcome+cancelled'])(
    'explains the unknown outcome in the address %s',
    async (instead) => {
      const { url, run } = await emulator({ ...paused, branches: { ...unknown.branches, outcome: 'moved' } });
      run.step(5);
      const page = await openPage(`${url}/?view=journeys&customer=1&instead=${instead}`);
      await untilText(page, 'what-if', 'or is unknown. Choose a marked decision above.');
      await page.getByTestId('what-if').getByRole('link', { name: 'Close' }).click();
      await page.getByTestId('what-if').waitFor({ state: 'detached' });
      expect(new URL(page.url()).searchParams.has('instead')).toBe(false);
    },
  );

  it('plays in a new household at a click', async () => {
    const { url, run } = await emulator(unknown);
    await run.finished;
    const address = '/?view=journeys&customer=1&instead=house-move%231+outcome+cancelled';
    const page = await openPage(url + address);
    await page.getByRole('button', { name: 'Play this instead' }).click();
    await page.getByRole('heading', { name: 'Customer 2' }).waitFor();
    await page.getByTestId('process').getByText('outcome cancelled').waitFor();
    await page.locator('.moment.sent').filter({ hasText: 'leave-supplier.cancelled' }).waitFor();
    expect(run.summary.byType.get('lifecycle.leave-supplier.cancelled')).toBe(1);
  });

  it('explains an outcome that does not exist', async () => {
    const { url } = await emulator(unknown);
    const get = async (query: string) => {
      const response = await fetch(`${url}/dashboard/what-if/${query}`);
      return [response.status, ((await response.json()) as { error?: string }).error] as const;
    };
    expect(await get('1?instance=house-move%231&branch=outcome&outcome=lost')).toEqual([
      400,
      'unknown-branch',
    ]);
    expect(await get('1?instance=no-move%231&branch=outcome&outcome=moved')).toEqual([
      400,
      'unknown-scenario',
    ]);
    expect((await fetch(`${url}/dashboard/what-if/99`)).status).toBe(404);
    expect((await fetch(`${url}/dashboard/forks/99`)).status).toBe(404);
  });
});

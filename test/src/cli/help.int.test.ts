import { describe, expect, it } from 'vitest';
import { run } from '../../command.js';

const pages = {
  emulate: ['', 'scenarios', 'trigger', 'replay', 'check', 'calibrate', 'verify', 'completion'],
  busbar: [
    '',
    'catalogue',
    'catalogue list',
    'catalogue show',
    'catalogue export',
    'catalogue diff',
    'dead-letters',
    'dead-letters list',
    'dead-letters show',
    'dead-letters replay',
    'offsets',
    'offsets reset',
    'completion',
  ],
} as const;
const all = Object.entries(pages).flatMap(([program, names]) =>
  names.map((name) => [program as keyof typeof pages, name] as const),
);

async function help(program: keyof typeof pages, name: string, ...more: string[]): Promise<string> {
  const words = name.split(' ').filter(Boolean);
  const { code, stdout, stderr } = await run(program, [...words, '--help', ...more]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('--help', () => {
  it.each(all)('fits one screen: %s %s', async (program, name) => {
    const page = await help(program, name);
    const lines = page.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(30);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(lines.at(-1)).toMatch(/^(All flags: .* --help all|Flags: busbar <command> --help)$/);
    expect(page).toMatchSnapshot();
  });

  it.each([
    ['emulate', ''],
    ['emulate', 'replay'],
    ['busbar', 'offsets reset'],
  ] as const)('prints all flags with --help all: %s %s', async (program, name) => {
    expect(await help(program, name, 'all')).toMatchSnapshot();
  });

  it.each(all.filter(([program, name]) => program === 'emulate' || name.includes(' ')))(
    'lists every flag that completion offers: %s %s',
    async (program, name) => {
      const line = `${`${program} ${name}`.trim()} --`;
      const flags = (await run(program, ['--complete', line])).stdout.split('\n').filter(Boolean);
      const page = await help(program, name, 'all');
      expect(flags.filter((flag) => !page.includes(`\n  ${flag} `))).toEqual([]);
    },
  );

  it('describes each flag in at most 60 characters, without a full stop', async () => {
    const pages = await Promise.all(all.map(([program, name]) => help(program, name, 'all')));
    const texts = pages.flatMap((page) => [...page.matchAll(/^ {2}\S.*? {2,}(\S.*?)(?: \([^)]*\))?$/gm)]);
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.map(([, text = '']) => text).filter((text) => text.length > 60 || /\.$/.test(text))).toEqual(
      [],
    );
  });

  it('prints the same page with -h, and next to other flags', async () => {
    const page = await help('emulate', 'check');
    expect((await run('emulate', ['check', '-h'])).stdout).toBe(page);
    expect((await run('emulate', ['--quiet', 'check', 'run.ndjson', '--help'])).stdout).toBe(page);
  });
});

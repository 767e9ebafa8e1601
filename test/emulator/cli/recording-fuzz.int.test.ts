import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { cases } from '../../cases.js';
import { run } from '../../command.js';

/** A mistake in a recording: at a share of its length, a line or some bytes change. */
const mistake = fc.record({
  kind: fc.constantFrom('drop line', 'repeat line', 'cut', 'bytes', 'value'),
  // Doubles would mostly be close to 0.
  at: fc.nat({ max: 9_999 }).map((nth) => nth / 10_000),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
  value: fc.json({ maxDepth: 2 }),
});

it('a damaged recording is replayed, or refused in one line without a payload value', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-fuzz-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'run.ndjson');
  const flags = ['--scenario', 'contact-email', '--instant', '--record', path, '--to', 'stdout'];
  const { stdout } = await run('emulate', flags);
  const whole = readFileSync(path);
  const values = [...stdout.matchAll(/A-[\dA-F]{8}/g)].map(([account]) => account);
  expect(values).not.toEqual([]);
  const codes = new Set<number | null>();
  await fc.assert(
    fc.asyncProperty(fc.array(mistake, { minLength: 1, maxLength: 3 }), async (mistakes) => {
      writeFileSync(path, mistakes.reduce(damaged, whole));
      const { code, stderr } = await run('emulate', ['replay', path, '--instant', '--to', 'stdout']);
      codes.add(code);
      if (code === 0) return;
      expect(stderr).toMatch(/^emulate: .*\n$/m);
      expect(stderr).not.toMatch(/^ {4}at /m);
      for (const value of values) expect(stderr).not.toContain(value);
    }),
    { numRuns: cases(40, 2_000) },
  );
  expect(codes).toEqual(new Set([0, 1]));
});

function damaged(
  recording: Buffer,
  { kind, at, bytes, value }: typeof mistake extends fc.Arbitrary<infer M> ? M : never,
): Buffer {
  const place = Math.floor(at * recording.length);
  if (kind === 'cut') return recording.subarray(0, place);
  if (kind === 'bytes')
    return Buffer.concat([recording.subarray(0, place), bytes, recording.subarray(place + bytes.length)]);
  const lines = recording.toString('latin1').split('\n');
  const index = Math.floor(at * lines.length);
  if (kind === 'drop line') lines.splice(index, 1);
  else if (kind === 'repeat line') lines.splice(index, 0, lines[index] ?? '');
  else
    lines[index] = (lines[index] ?? '').replace(
      /:("[^"]*"|\d+)/,
      `:${Buffer.from(value).toString('latin1')}`,
    );
  return Buffer.from(lines.join('\n'), 'latin1');
}

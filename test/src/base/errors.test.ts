import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BusbarError, errorCodes } from 'busbar';
import { quoted } from 'busbar/base';
import { describe, expect, it } from 'vitest';

const rows = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );

describe('quoted', () => {
  it('shows the backslashes of a path, and escapes quotes and control characters', () => {
    expect(quoted('C:\\bills\\run.ndjson')).toBe(String.raw`"C:\bills\run.ndjson"`);
    expect(quoted('a"b\nc')).toBe(String.raw`"a\"b\nc"`);
  });
});

describe('docs/reference/errors.md', () => {
  it('lists exactly the error codes, with kind and meaning, in order', () => {
    const documented = rows.map(([code, kind, meaning]) => [code, kind, meaning]);
    const declared = Object.entries(errorCodes).map(([code, { kind, meaning }]) => [
      `\`${code}\``,
      kind,
      meaning,
    ]);
    expect(documented).toEqual(declared);
  });

  it('explains the fix for every code', () => {
    for (const [code, , , advice = ''] of rows) expect(advice.trim(), code).toMatch(/^[A-Z].{15,}\.$/);
  });
});

describe('a BusbarError', () => {
  it('exposes its code and kind', () => {
    const cause = new TypeError('inner');
    const error = new BusbarError('port-in-use', 'Port "4100" is in use.', { cause });
    expect(error).toMatchObject({ name: 'BusbarError', code: 'port-in-use', kind: 'failure', cause });
    expect(new BusbarError('unknown-event', 'x').kind).toBe('usage');
  });

  it('omits options that its message does not name', () => {
    expect(new BusbarError('unknown-event', 'x')).not.toHaveProperty('options');
    expect(new BusbarError('port-in-use', 'x', { options: ['http.port'] }).options).toEqual(['http.port']);
  });

  it('recognises an error of another copy of the module', async () => {
    const file = fileURLToPath(new URL('../../../src/base/errors.ts', import.meta.url));
    const copy = (await import(`${file}?copy`)) as { BusbarError: typeof BusbarError };
    expect(copy.BusbarError).not.toBe(BusbarError);
    expect(new copy.BusbarError('unknown-event', 'x')).toBeInstanceOf(BusbarError);
    expect(new Error('x')).not.toBeInstanceOf(BusbarError);
    class Own extends BusbarError {}
    expect(new BusbarError('unknown-event', 'x')).not.toBeInstanceOf(Own);
  });
});

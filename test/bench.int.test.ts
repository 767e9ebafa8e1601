import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

describe('the benchmarks', () => {
  it('appear in the error for an unknown name', () => {
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'bench/main.ts', 'nothing'], {
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /^Benchmark "nothing" does not exist\. npm run bench.*\nThere are: .*dispatch.*startup.*typecheck/,
    );
  });
});

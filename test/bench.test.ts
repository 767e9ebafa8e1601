import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

describe('the benchmarks', () => {
  it('are listed to who names one that is not there', () => {
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'bench/main.ts', 'nothing'], {
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^There is no benchmark "nothing"\. There are: .*dispatch.*startup.*typecheck/);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { LaneAssigner } from '../../../src/running/lane-assigner.js';
import { Work } from '../../../src/running/work.js';
import type { Verdict } from '../../../src/verdict.js';
import { recordOf } from '../records.js';

const ignored: Verdict = { action: 'skip', reason: 'unhandled' };
const turn = () => new Promise((resolve) => setImmediate(resolve));
const works = () => [0, 1].map((index) => new Work(recordOf(null), index)) as [Work, Work];

describe('a record whose verdict is awaited', () => {
  let calls: unknown[];
  let settle: { resolve: (verdict: Verdict) => void; reject: (error: Error) => void };
  let assigner: LaneAssigner;

  beforeEach(() => {
    calls = [];
    const verdicts = [
      new Promise<Verdict>((resolve, reject) => {
        settle = { resolve, reject };
      }),
    ];
    const dispatcher = {
      verdictOn: () => verdicts.pop() ?? ignored,
      prepare: () => Promise.resolve(),
    };
    assigner = new LaneAssigner(dispatcher, () => undefined, {
      assigned: (work) => void calls.push(['assigned', work.index]),
      fail: (error, work) => void calls.push(['failed', (error as Error).message, work.index]),
      changed: () => void calls.push('changed'),
    });
  });

  it('makes the records behind it wait', async () => {
    for (const work of works()) assigner.add(work);
    expect(assigner.isPending).toBe(true);
    expect(calls).toEqual([]);
    settle.resolve(ignored);
    await turn();
    expect(assigner.isPending).toBe(false);
    expect(calls).toEqual([['assigned', 0], ['assigned', 1], 'changed']);
  });

  it('fails with the error of the dispatcher', async () => {
    assigner.add(works()[0]);
    settle.reject(new Error('no schema'));
    await turn();
    expect(assigner.isPending).toBe(false);
    expect(calls).toEqual([['failed', 'no schema', 0], 'changed']);
  });

  it('gets no lane once the assigner is closed', async () => {
    for (const work of works()) assigner.add(work);
    assigner.close();
    settle.resolve(ignored);
    await turn();
    expect(calls).toEqual(['changed']);
  });

  it.each([
    ['resolves', () => settle.resolve(ignored)],
    ['rejects', () => settle.reject(new Error('too late'))],
  ])('no longer counts when it is abandoned, even if the verdict %s', async (_, end) => {
    for (const work of works()) assigner.add(work);
    assigner.abandon();
    expect(assigner.isPending).toBe(false);
    end();
    await turn();
    expect(calls).toEqual([]);
  });
});

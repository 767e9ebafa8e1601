import { describe, expect, it } from 'vitest';
import {
  causeId,
  causesOf,
  type Finding,
  type OwnFrame,
} from '../../../../emulator/testing/verify/causes.js';

const frameAt = (line: number, text = 'await db.query(insert);'): OwnFrame => ({
  at: `src/accounts.ts:${line}:9`,
  lines: [{ number: line, text: `    ${text}` }],
});

const finding: Finding = {
  check: 'duplicates',
  subject: 'account.created-v1',
  diagnosis: 'fails-when-repeated',
  about: 'account.created-v1',
  status: 'failed',
  reason: 'The handler fails.',
  error: { kind: 'DatabaseError', code: '23505', frame: frameAt(18) },
};

const reproOf = (...deliveries: string[]) => ({ file: 'repro.json', content: '', deliveries });

describe('causeId()', () => {
  it('survives edits that move lines', () => {
    const moved: Finding = { ...finding, error: { kind: 'DatabaseError', frame: frameAt(99) } };
    expect(causeId(moved)).toBe(causeId(finding));
    expect(causeId(finding)).toMatch(/^[0-9a-f]{6}$/);
  });

  it('differs by diagnosis, by handler and by line of code', () => {
    const others: Finding[] = [
      { ...finding, diagnosis: 'handler-fails' },
      { ...finding, about: 'account.updated-v1' },
      { ...finding, error: { kind: 'DatabaseError', frame: frameAt(18, 'await other();') } },
    ];
    expect(new Set([finding, ...others].map(causeId)).size).toBe(4);
  });

  it('depends on no field that differs', () => {
    const { error: _error, ...differing } = finding;
    expect(causeId({ ...differing, fields: ['pence', 'at'] })).toBe(
      causeId({ ...differing, fields: ['at'] }),
    );
  });
});

describe('causesOf()', () => {
  it('lists one cause once, with its checks and the shortest reproduction', () => {
    const short = { ...finding, check: 'crashes', repro: reproOf('one') };
    const [cause, ...others] = causesOf([
      { ...finding, repro: reproOf('one', 'two') },
      short,
      { ...finding, subject: 'house-move' },
    ]);
    expect(others).toEqual([]);
    expect(cause).toMatchObject({
      title: 'account.created-v1: fails when the event comes again',
      status: 'failed',
      checks: ['duplicates', 'crashes'],
      subjects: ['account.created-v1', 'house-move'],
      shown: { check: 'crashes', repro: { deliveries: ['one'] } },
    });
  });

  it('names the file of a reproduction by its cause', () => {
    const [cause] = causesOf([{ ...finding, repro: reproOf('one') }]);
    expect(cause?.shown.repro?.file).toBe(`repro-${cause?.id}.json`);
  });

  it('takes the worst status of a cause, and lists failures first', () => {
    const warned: Finding = { ...finding, diagnosis: 'work-floats', status: 'warned' };
    const causes = causesOf([warned, { ...finding, status: 'unconfirmed' }, finding]);
    expect(causes.map(({ status }) => status)).toEqual(['failed', 'warned']);
  });
});

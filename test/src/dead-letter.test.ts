import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deadLetterHeaders, originalHeaders, readDeadLetter } from '../../src/dead-letter.js';
import { recordHeaders } from '../../src/transports/record-headers.js';
import { cases } from '../cases.js';

const record = (headers: [string, Uint8Array][] = []) => ({
  topic: 'events',
  partition: 3,
  offset: 41,
  timestamp: 1_700_000_000_000,
  key: null,
  value: null,
  headers: recordHeaders(headers),
});

describe('the headers of a dead letter', () => {
  it('keep the headers of the record and describe the cause', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    const law = fc.property(
      fc.array(fc.tuple(text, fc.uint8Array({ maxLength: 20 })), { maxLength: 5 }),
      fc.record(
        { code: text, message: text, attempts: fc.nat(), event: text, handler: text },
        { requiredKeys: ['code', 'message', 'attempts'] },
      ),
      fc.option(text, { nil: undefined }),
      (own, cause, group) => {
        const headers = recordHeaders(deadLetterHeaders(record(own), cause, group));
        expect(originalHeaders(headers)).toEqual(own);
        expect(readDeadLetter(headers)).toEqual({
          ...cause,
          ...(group === undefined ? {} : { group }),
          origin: { topic: 'events', partition: 3, offset: 41, timestamp: 1_700_000_000_000 },
        });
      },
    );
    fc.assert(law, { numRuns: cases(100, 300) });
  });

  it('replace those of an earlier dead letter', () => {
    const once = deadLetterHeaders(record(), { code: 'one', message: '', attempts: 1, event: 'e' }, 'a');
    const twice = deadLetterHeaders(record(once), { code: 'two', message: '', attempts: 2 }, 'b');
    expect(readDeadLetter(recordHeaders(twice))).toMatchObject({ code: 'two', group: 'b' });
    expect(readDeadLetter(recordHeaders(twice))).not.toHaveProperty('event');
  });

  it('describe the error, and can be read again', () => {
    const fields = ['class', 'cause', 'code', 'at', 'message', 'stack'] as const;
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    const errors = fc.record(
      { class: text, cause: text, code: text, at: text, message: text, stack: text },
      { requiredKeys: ['class'] },
    );
    const law = fc.property(errors, (error) => {
      const headers = deadLetterHeaders(record(), { code: 'c', message: 'm', attempts: 1, error }, undefined);
      const names = fields.filter((field) => field in error).map((field) => `error-${field}`);
      const written = headers.map(([name]) => name.replace('busbar-dead-letter-', ''));
      expect(written).toEqual(expect.arrayContaining(['error', ...names.slice(1)]));
      expect(readDeadLetter(recordHeaders(headers))!.error).toEqual(error);
    });
    fc.assert(law, { numRuns: cases(100, 300) });
  });

  it('cut long values between characters', () => {
    const message = 'x'.repeat(999) + '€'.repeat(500);
    const long = '€'.repeat(30_000);
    const error = { class: long, cause: long, code: long, at: long, message: long, stack: long };
    const headers = deadLetterHeaders(
      record(),
      { code: 'c', message, attempts: 1, error },
      'g'.repeat(30_000),
    );
    expect(headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)).toBeLessThan(16_000);
    expect(readDeadLetter(recordHeaders(headers))!.message).toBe('x'.repeat(999));
  });

  it.each<[what: string, headers: [string, string][]]>([
    ['no such headers', [['event-type', 'x']]],
    ['no code', [['busbar-dead-letter-topic', 'events']]],
    [
      'a position that is none',
      [
        ['busbar-dead-letter-code', 'x'],
        ['busbar-dead-letter-topic', 'events'],
        ['busbar-dead-letter-partition', 'two'],
        ['busbar-dead-letter-offset', '1'],
      ],
    ],
  ])('yield nothing when read from %s', (_, headers) => {
    expect(readDeadLetter(recordHeaders(headers))).toBeUndefined();
  });
});

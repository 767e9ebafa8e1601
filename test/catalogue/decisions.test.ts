import { describe, expect, it } from 'vitest';
import { decisionsOf, markedDecisions } from '../../catalogue/generate/decisions.js';
import { repository } from './run-node.js';

describe('marked decisions', () => {
  it('occur anywhere in a document, alone or in a list', () => {
    const mark = { clause: 'Limits', decision: '100 a minute.' };
    const other = { clause: 'Errors', decision: 'Code KT-1.' };
    const document = { paths: { '/a': [{ 'x-busbar-decision': mark }] }, 'x-busbar-decision': [mark, other] };
    expect(decisionsOf('api.json', document)).toEqual([
      { ...mark, source: 'api.json' },
      { ...mark, source: 'api.json' },
      { ...other, source: 'api.json' },
    ]);
    expect(decisionsOf('none.json', { a: [null, 1, 'x'] })).toEqual([]);
  });

  it('need a clause and a decision', () => {
    expect(() => decisionsOf('api.json', { 'x-busbar-decision': 'yes' })).toThrow(
      'api.json: an "x-busbar-decision" needs a "clause" and a "decision", both text.',
    );
  });

  it('include decisions of the emulator and the envelope', () => {
    const clauses = markedDecisions(repository).map(({ clause }) => clause);
    for (const open of [
      '3: triggers',
      '4: delivery',
      '4: any envelope',
      'hold times',
      'typed object',
      'identifiers',
    ])
      expect(clauses).toContainEqual(expect.stringContaining(open));
  });

  it('include the event that is listed in part', () => {
    expect(markedDecisions(repository)).toContainEqual({
      clause: expect.stringContaining('ro_contact_name'),
      decision: expect.stringContaining('eight fields'),
      source:
        'catalogue/events/meterpoint/meterpoint.gas.disputed_opening_reading.accepted.other_supplier-v1.json',
    });
  });
});

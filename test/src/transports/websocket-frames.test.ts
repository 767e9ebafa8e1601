import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeServerFrame, encodeBatch, encodeRecord } from '../../../src/transports/websocket-frames.js';
import { anyCharacter } from '../../any-character.js';
import { cases } from '../../cases.js';

const streamRecord = fc.record({
  key: fc.option(fc.string({ unit: anyCharacter })),
  headers: fc.dictionary(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), {
    noNullPrototype: true,
  }),
  timestamp: fc.nat(),
  value: fc.option(
    fc.oneof(
      fc.uint8Array(),
      fc.string({ unit: anyCharacter }).map((text) => new Uint8Array(Buffer.from(text))),
      fc.json().map((text) => new Uint8Array(Buffer.from(text))),
    ),
  ),
});

describe('the frames of busbar.v1', () => {
  it('preserve every record, for random bytes', () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(streamRecord, { minLength: 1 }), (before, records) => {
        const frame = decodeServerFrame(encodeBatch(before + 1, records.map(encodeRecord)));
        expect(frame).toEqual({
          type: 'batch',
          first: before + 1,
          records: records.map((record) => ({ ...record, value: record.value && Buffer.from(record.value) })),
        });
      }),
    );
  });

  it('contain lines of text verbatim, and encode other values', () => {
    fc.assert(
      fc.property(fc.array(streamRecord, { minLength: 1 }), (records) => {
        const frame = encodeBatch(1, records.map(encodeRecord));
        expect(Buffer.from(frame.toString())).toEqual(frame);
        const [, ...lines] = frame.toString().split('\n');
        expect(lines).toHaveLength(records.length);
      }),
    );
    const line = Buffer.from('{"name":"Zoë"}');
    const record = { key: null, headers: {}, timestamp: 0, value: line };
    expect(encodeBatch(1, [encodeRecord(record)]).toString()).toBe(
      '{"type":"batch","first":1,"records":[{"key":null,"headers":{},"timestamp":0}]}\n{"name":"Zoë"}',
    );
  });

  it('decode or fail cleanly, for random bytes', () => {
    const head = fc.anything({ withNullPrototype: true, maxDepth: 3 }).map((value) => JSON.stringify(value));
    const likely = fc
      .record(
        {
          type: fc.constantFrom('batch', 'gap', 'end', 'welcome', 'error', '__proto__'),
          first: fc.anything(),
          records: fc.anything(),
          from: fc.anything(),
          to: fc.anything(),
          count: fc.anything(),
          next: fc.anything(),
          stream: fc.anything(),
        },
        { requiredKeys: [] },
      )
      .map((value) =>
        JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each)),
      );
    const messages = fc
      .tuple(fc.oneof(head, likely), fc.array(fc.string()))
      .map(([first, lines]) => [first, ...lines].join('\n'));
    fc.assert(
      fc.property(fc.oneof(messages, fc.string()), (text) => {
        try {
          expect(decodeServerFrame(Buffer.from(text))).toHaveProperty('type');
        } catch (error) {
          expect(error).toMatchObject({ code: 'protocol-violation' });
        }
      }),
      { numRuns: cases(150, 1_000) },
    );
  });

  it('copy values, so that the frame does not stay in memory', () => {
    const value = new Uint8Array(Buffer.from('{}'));
    const frame = encodeBatch(
      1,
      Array(1_000).fill(encodeRecord({ key: null, headers: {}, timestamp: 0, value })),
    );
    const decoded = decodeServerFrame(frame);
    expect(decoded.type === 'batch' && decoded.records[0]!.value!.buffer.byteLength).toBe(2);
  });
});

import { envelopeAtPaths, type EnvelopeCodec, envelopeNames, openEnvelope, recordHeaders } from 'busbar';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../catalogue/index.js';
import { createSampler } from '../../emulator/samples/sampler.js';
import { cases } from '../cases.js';

const catalogue = openCatalogue();
const named = await Promise.all(envelopeNames.map((name) => openEnvelope(name)));
const codecs: readonly EnvelopeCodec[] = [
  ...named,
  envelopeAtPaths({
    type: 'header:a/b',
    version: '/meta/v~1~0',
    payload: '/meta/data',
    id: '/id',
    occurredAt: '/meta/at',
    occurrenceId: 'header:occurrence',
  }),
  envelopeAtPaths({ type: 'header:name', payload: '', id: 'header:id', occurredAt: 'header:at' }),
];

describe('an encoded event', () => {
  it('decodes to itself, for every event in every envelope', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.nat(1_000), fc.uuid(), async (seed, nth, id) => {
        const sampler = await createSampler({ catalogue, seed });
        for (const event of catalogue.events) {
          const { type, version } = event;
          const payload = sampler.sample(event, { nth, fields: 'full' });
          const occurredAt = new Date(sampler.instantOf(nth)).toISOString();
          for (const codec of codecs) {
            const { value, headers } = codec.encode!({
              type,
              version,
              payload,
              id,
              occurredAt,
              occurrenceId: id,
            });
            const record = {
              topic: 'platform.events',
              partition: 0,
              offset: 0,
              timestamp: 0,
              key: null,
              value: Buffer.from(value),
              headers: recordHeaders(headers),
            };
            const peeked = codec.peek(record, catalogue);
            if (peeked !== undefined) expect(peeked).toMatchObject({ type, version });
            const decoded = codec.decode(record, peeked, catalogue);
            const { occurrenceId = id } = decoded;
            expect({ ...decoded, occurrenceId }).toEqual({
              type,
              version,
              payload,
              id,
              occurredAt,
              occurrenceId: id,
            });
          }
        }
      }),
      { numRuns: cases(1, 10) },
    );
  });
});

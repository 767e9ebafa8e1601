import { createConsumer, openCatalogue, type Verdict } from 'busbar';
import { memory } from 'busbar/internal/memory';
import { describe, expect, it } from 'vitest';
import {
  accountCreated,
  documentIssuedV1,
  documentIssuedV2,
  envelope,
  headersOf,
  recordOf,
  type SentEvent,
} from './records.js';

const catalogue = openCatalogue();

/** The handlers that `define` registers, by the name of the one that gets the event. */
async function chosen(
  define: (consumer: ReturnType<typeof createConsumer>) => void,
  sent: SentEvent,
): Promise<string> {
  const consumer = createConsumer({ catalogue });
  define(consumer);
  const verdict: Verdict = await consumer.verdictOn(recordOf(envelope(sent), headersOf(sent)));
  return verdict.action === 'handle' ? verdict.registration.name : verdict.reason;
}

const ignore = () => undefined;

/** A consumer as callers without a compiler use it. */
type Untyped = Record<'on' | 'onMatching' | 'upcast', (...args: unknown[]) => void> &
  ReturnType<typeof createConsumer>;

describe('a consumer chooses the handler of an event', () => {
  it('prefers an exact handler to a pattern, and a pattern to onAny', async () => {
    const any = (consumer: ReturnType<typeof createConsumer>) => consumer.onAny(ignore, { name: 'any' });
    const pattern = (consumer: ReturnType<typeof createConsumer>) => {
      any(consumer);
      consumer.onMatching('billing.*', ignore, { name: 'pattern' });
    };
    const exact = (consumer: ReturnType<typeof createConsumer>) => {
      pattern(consumer);
      consumer.on('billing.billing_document.issued', 'v1', ignore, { name: 'exact' });
    };
    expect(await chosen(any, documentIssuedV1)).toBe('any');
    expect(await chosen(pattern, documentIssuedV1)).toBe('pattern');
    expect(await chosen(exact, documentIssuedV1)).toBe('exact');
    expect(await chosen(exact, documentIssuedV2)).toBe('pattern');
    expect(await chosen(exact, accountCreated)).toBe('any');
  });

  it('prefers the pattern with more literal text, whichever came first', async () => {
    const patterns = ['billing.*', '*.issued', 'billing.*document.issued', '*'];
    for (const order of [patterns, patterns.toReversed()]) {
      const name = await chosen((consumer) => {
        for (const pattern of order) consumer.onMatching(pattern, ignore);
      }, documentIssuedV1);
      expect(name).toBe('billing.*document.issued');
    }
  });

  it('treats only * as a wildcard', async () => {
    const matches = (pattern: string) =>
      chosen((consumer) => {
        consumer.onMatching(pattern, ignore, { name: 'matched' });
        consumer.onAny(ignore, { name: 'any' });
      }, documentIssuedV1);
    for (const pattern of [
      '*',
      'b*',
      '*d',
      'billing.billing_document.issued',
      'billing*issued',
      '*_document*',
      '*g.b*g_*d',
    ]) {
      expect(await matches(pattern), pattern).toBe('matched');
    }
    for (const pattern of ['billing.ledger.*', 'account.*', 'billing.billing_document.held']) {
      expect(await matches(pattern), pattern).toBe('any');
    }
  });

  it('calls one handler for several versions of a type', async () => {
    const both = (consumer: ReturnType<typeof createConsumer>) =>
      consumer.on('billing.billing_document.issued', ['v1', 'v2'], ignore);
    const name = 'billing.billing_document.issued-v1, billing.billing_document.issued-v2';
    expect(await chosen(both, documentIssuedV1)).toBe(name);
    expect(await chosen(both, documentIssuedV2)).toBe(name);
  });
});

describe('definitions of a consumer', () => {
  const wrong = (define: (consumer: Untyped) => void) => () => define(createConsumer({ catalogue }) as never);

  it('rejects a second handler for the same event version', () => {
    expect(
      wrong((consumer) => {
        consumer.on('billing.billing_document.issued', ['v1', 'v2'], ignore);
        consumer.on('billing.billing_document.issued', 'v2', ignore);
      }),
    ).toThrow(
      expect.objectContaining({
        code: 'duplicate-handler',
        message:
          'A handler for "billing.billing_document.issued" "v2" already exists. Do both things in one handler, or create a second consumer.',
      }),
    );
  });

  it('rejects a second handler for the same pattern, and a second onAny', () => {
    expect(
      wrong((consumer) => {
        consumer.onMatching('billing.*', ignore);
        consumer.onMatching('billing.*', ignore);
      }),
    ).toThrow('A handler for the pattern "billing.*" already exists.');
    expect(
      wrong((consumer) => {
        consumer.onAny(ignore);
        consumer.onAny(ignore);
      }),
    ).toThrow('A handler for any event (onAny) already exists.');
  });

  it('rejects an unknown type, and suggests the nearest ones', () => {
    expect(wrong((consumer) => consumer.on('lifecycle.leave-suplier.completed', 'v3', ignore))).toThrow(
      expect.objectContaining({
        code: 'unknown-event',
        message: expect.stringMatching(
          /^The catalogue has no event "lifecycle\.leave-suplier\.completed"\. Did you mean "lifecycle\.leave-supplier\.completed"/,
        ),
      }),
    );
  });

  it('says how to add an event that resembles none', () => {
    // The compiler knows the name of an own event from its declaration, and the consumer has no schema.
    expect(wrong((consumer) => consumer.on('acme.tariff.changed', 'v1', ignore))).toThrow(
      'The catalogue has no event "acme.tariff.changed". Pass a catalogue with your own events as "catalogue".',
    );
  });

  it('suggests the type for a catalogue name, which has the version too', () => {
    expect(wrong((consumer) => consumer.on('billing.final_bill-v1', 'v1', ignore))).toThrow(
      /"billing\.final_bill-v1"\. Did you mean "billing\.final_bill"/,
    );
  });

  it('rejects an unknown version, and lists the known ones', () => {
    expect(wrong((consumer) => consumer.on('billing.billing_document.issued', ['v1', 'v9'], ignore))).toThrow(
      expect.objectContaining({
        code: 'unknown-version',
        message: 'Event "billing.billing_document.issued" has no version "v9". It has "v1", "v2".',
      }),
    );
  });

  it('rejects an empty list of versions, and a handler that is not a function', () => {
    expect(wrong((consumer) => consumer.on('account.created', [], ignore))).toThrow(
      'no version. Name at least one.',
    );
    expect(wrong((consumer) => consumer.on('account.created', 'v1', 'v1'))).toThrow(
      'The handler of "account.created-v1" is not a function, but string.',
    );
  });

  it.each([
    [
      'a forgotten version',
      (consumer: Untyped) => consumer.on('account.created', ignore),
      'on(): "versions" must be a non-empty string or a list (each a non-empty string), not a function.',
    ],
    [
      'a forgotten pattern',
      (consumer: Untyped) => consumer.onMatching(ignore),
      'onMatching(): "pattern" must be a non-empty string, not a function.',
    ],
    [
      'an upcast without a function',
      (consumer: Untyped) => consumer.upcast('agreement.updated', 'v1', 'v2'),
      'The upcast of "agreement.updated" from "v1" to "v2" is not a function, but undefined. Pass a function.',
    ],
  ])('rejects %s', (_, define, message) => {
    expect(wrong(define)).toThrow(expect.objectContaining({ code: 'invalid-option', message }));
  });

  it('rejects a run without handlers, and a pattern that matches nothing', async () => {
    await expect(createConsumer({ catalogue }).run(memory())).rejects.toMatchObject({ code: 'no-handlers' });
    for (const pattern of ['biling.*', 'billing.billing_document.issued*issued']) {
      const consumer = createConsumer({ catalogue });
      consumer.onMatching(pattern, ignore);
      await expect(consumer.run(memory())).rejects.toMatchObject({
        code: 'unknown-event',
        message: expect.stringContaining(`No event of the catalogue matches "${pattern}".`),
      });
    }
  });
});

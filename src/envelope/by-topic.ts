import { memoized } from '../base/once.js';
import { BusbarError, quoted } from '../base/errors.js';
import { envelopeObject } from '../base/options.js';
import { busbarEnvelope } from './busbar.js';
import type { EnvelopeCodec } from './envelope.js';

/**
 * One wire format for all topics, or one per topic: an object by topic name, in which `default` is for other topics, or
 * a function, which is called once per topic. Topics without a codec have the default envelope.
 */
export type EnvelopeChoice =
  | EnvelopeCodec
  | Readonly<Record<string, EnvelopeCodec>>
  | ((topic: string) => EnvelopeCodec | undefined);

/** Returns one codec for a choice. @throws BusbarError `invalid-option` for a value that isn't a codec */
export function envelopeOf(choice: EnvelopeChoice = busbarEnvelope()): EnvelopeCodec {
  if (typeof choice === 'function') return byTopic(choice);
  if (isCodec(choice)) return choice;
  const codecs = new Map(Object.entries(choice));
  for (const [topic, codec] of codecs) checkCodec(codec, topic);
  return byTopic((topic) => codecs.get(topic) ?? codecs.get('default'));
}

function byTopic(choose: (topic: string) => EnvelopeCodec | undefined): EnvelopeCodec {
  const fallback = busbarEnvelope();
  const codecOf = memoized((topic: string) => {
    const codec = choose(topic) ?? fallback;
    checkCodec(codec, topic);
    return codec;
  });
  return {
    name: 'by topic',
    peek: (record, catalogue) => codecOf(record.topic).peek(record, catalogue),
    decode: (record, named, catalogue) => codecOf(record.topic).decode(record, named, catalogue),
    ofTopic: codecOf,
  };
}

export function isCodec(choice: unknown): choice is EnvelopeCodec {
  return envelopeObject.accepts(choice);
}

function checkCodec(codec: unknown, topic: string): void {
  if (isCodec(codec)) return;
  throw new BusbarError(
    'invalid-option',
    `"envelope" for topic ${quoted(topic)} is not a codec. Give it the methods "peek" and "decode".`,
  );
}

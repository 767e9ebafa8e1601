import { BusbarError } from '../base/errors.js';
import { quoted } from '../base/quoted.js';
import { busbarEnvelope } from './busbar.js';
import type { EnvelopeCodec } from './envelope.js';

/**
 * One wire format for all topics, or one for each: by the topic's name (`default` is for the others), or by a function,
 * which is asked once for each topic. Topics that are not named have the default envelope.
 */
export type EnvelopeChoice =
  | EnvelopeCodec
  | Readonly<Record<string, EnvelopeCodec>>
  | ((topic: string) => EnvelopeCodec | undefined);

/** The choice as one codec. @throws BusbarError `invalid-option` for what is no codec. */
export function envelopeOf(choice: EnvelopeChoice = busbarEnvelope()): EnvelopeCodec {
  if (typeof choice === 'function') return byTopic(choice);
  if (isCodec(choice)) return choice;
  const codecs = new Map(Object.entries(choice));
  for (const [topic, codec] of codecs) checkCodec(codec, topic);
  return byTopic((topic) => codecs.get(topic) ?? codecs.get('default'));
}

function byTopic(choose: (topic: string) => EnvelopeCodec | undefined): EnvelopeCodec {
  const chosen = new Map<string, EnvelopeCodec>();
  const usual = busbarEnvelope();

  const codecOf = (topic: string): EnvelopeCodec => {
    const known = chosen.get(topic);
    if (known !== undefined) return known;
    const codec = choose(topic) ?? usual;
    checkCodec(codec, topic);
    chosen.set(topic, codec);
    return codec;
  };

  return {
    name: 'by topic',
    peek: (record, catalogue) => codecOf(record.topic).peek(record, catalogue),
    decode: (record, named, catalogue) => codecOf(record.topic).decode(record, named, catalogue),
  };
}

function isCodec(choice: unknown): choice is EnvelopeCodec {
  return (
    typeof choice === 'object' &&
    choice !== null &&
    typeof (choice as EnvelopeCodec).peek === 'function' &&
    typeof (choice as EnvelopeCodec).decode === 'function'
  );
}

function checkCodec(codec: unknown, topic: string): void {
  if (isCodec(codec)) return;
  throw new BusbarError(
    'invalid-option',
    `"envelope" for topic ${quoted(topic)} is no codec: it needs "peek" and "decode".`,
  );
}

import { fork } from 'node:child_process';
import { messagesOf } from './child-messages.js';
import type { Measured } from './measure.js';

/**
 * Measures the consumer path relative to `JSON.parse(buffer.toString())` of the same values. The design sets the targets.
 * One process for each wire format, as a consumer has one: a second one slows every call of a codec.
 */
export async function* measure(): AsyncIterable<Measured> {
  for (const name of ['own-envelope', 'interned-name']) {
    yield* messagesOf<Measured>(fork(new URL(`./dispatch/${name}.ts`, import.meta.url)));
  }
}

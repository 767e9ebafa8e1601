import { defined } from './base/defined.js';
import { classOf, isError, propertyOf } from './base/errors.js';
import type { DeadLetterError } from './transports/transport.js';
import { userFrame } from './base/user-frame.js';

/**
 * Parts of a handler's error that a dead letter contains. `class` (default): its class, its code, and the line of your
 * code that threw it. `message` adds its message, `stack` its message and its stack: **both may quote payloads, which are
 * personal data**, and stay in the dead-letter topic as long as the record does.
 */
export type DeadLetterDetails = 'class' | 'message' | 'stack';

/** Describes the value that a handler threw, and its causes. Never throws. */
export function errorDetails(thrown: unknown, details: DeadLetterDetails): DeadLetterError {
  const chain = withCauses(thrown);
  const join = (parts: readonly string[], separator: string, max: number) =>
    parts.join(`${separator}caused by: `).slice(0, max);
  return defined({
    class: classOf(thrown),
    cause: chain.length > 1 ? classOf(chain.at(-1)) : undefined,
    code: chain.map(codeOf).findLast((found) => found !== undefined),
    at: chain.map(userFrame).findLast((found) => found !== undefined),
    message: details === 'class' ? undefined : join(chain.map(messageOf), '; ', maxMessage),
    stack: details === 'stack' ? join(chain.map(stackOf), '\n', maxStack) : undefined,
  });
}

/** In UTF-16 units; the headers are truncated again, in bytes. */
const maxMessage = 1_000;
const maxStack = 4_000;

/** Returns a thrown value and its chain of causes; at most eight, and none twice. */
function withCauses(thrown: unknown): unknown[] {
  const chain = [thrown];
  while (chain.length < 8) {
    const cause = propertyOf(chain.at(-1), 'cause');
    if (!isError(cause) || chain.includes(cause)) break;
    chain.push(cause);
  }
  return chain;
}

/** Returns a code such as `23505`, `ECONNREFUSED` or `invalid-event`. Any other text may contain data. */
function codeOf(error: unknown): string | undefined {
  const code = propertyOf(error, 'code');
  const isCode = (typeof code === 'string' || Number.isInteger(code)) && plainToken.test(String(code));
  return isCode ? String(code) : undefined;
}

const plainToken = /^(?=.{1,40}$)(?!.*\d{6})(?:[A-Z\d_]+|[A-Za-z]+(?:[-_][A-Za-z]+)*)$/;

function messageOf(error: unknown): string {
  const message = typeof error === 'string' ? error : propertyOf(error, 'message');
  return typeof message === 'string'
    ? message.slice(0, maxMessage).replaceAll(/\p{Cc}+/gu, ' ')
    : classOf(error);
}

function stackOf(error: unknown): string {
  const stack = propertyOf(error, 'stack');
  if (typeof stack !== 'string') return messageOf(error);
  return stack.slice(0, maxStack).replaceAll(/(?!\n)\p{Cc}+/gu, ' ');
}

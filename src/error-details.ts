import { classOf, isError, propertyOf } from './base/thrown.js';
import type { DeadLetterError } from './transports/transport.js';
import { userFrame } from './user-frame.js';

/**
 * How much of a handler's error a dead letter holds. `class` (default): its class, its code, and where it was thrown in
 * your code. `message` adds its message, `stack` its message and its stack: **both may quote payloads, which are personal
 * data**, and stay in the dead-letter topic as long as the record does.
 */
export type DeadLetterDetails = 'class' | 'message' | 'stack';

/** Describes what a handler threw, and what caused that. Never throws. */
export function errorDetails(thrown: unknown, details: DeadLetterDetails): DeadLetterError {
  const chain = withCauses(thrown);
  const root = chain.at(-1);
  const code = chain.map(codeOf).findLast((found) => found !== undefined);
  const at = chain.map(userFrame).findLast((found) => found !== undefined);
  return {
    class: classOf(thrown),
    ...(chain.length > 1 ? { cause: classOf(root) } : {}),
    ...(code === undefined ? {} : { code }),
    ...(at === undefined ? {} : { at }),
    ...(details === 'class'
      ? {}
      : { message: chain.map(messageOf).join('; caused by: ').slice(0, maxMessage) }),
    ...(details === 'stack' ? { stack: chain.map(stackOf).join('\ncaused by: ').slice(0, maxStack) } : {}),
  };
}

/** In UTF-16 units; the headers are cut again, in bytes. */
const maxMessage = 1_000;
const maxStack = 4_000;

/** A thrown value, its cause, the cause of that, and so on; at most eight, and none twice. */
function withCauses(thrown: unknown): unknown[] {
  const chain = [thrown];
  while (chain.length < 8) {
    const cause = propertyOf(chain.at(-1), 'cause');
    if (!isError(cause) || chain.includes(cause)) break;
    chain.push(cause);
  }
  return chain;
}

/** A code as systems have it: `23505`, `ECONNREFUSED`, `invalid-event`, `11000`. Any other may have been made from data. */
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

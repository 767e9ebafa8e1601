import type { RequestHandler } from 'express';
import { type Clock, sleep } from 'busbar/base';
import { hash32 } from '../engine/random.js';
import { ApiError } from './api-error.js';
import type { PlatformApiSettings } from './settings.js';

/** Returns handlers that inject latency, a rate limit and failures, which clients must tolerate. */
export function apiFaults(
  { latency, rateLimit, failRate }: Pick<PlatformApiSettings, 'latency' | 'rateLimit' | 'failRate'>,
  seed: number,
  clock: Clock,
): RequestHandler[] {
  const handlers: RequestHandler[] = [];
  if (rateLimit !== undefined) handlers.push(limit(rateLimit, clock));
  if (latency > 0) {
    handlers.push((_request, response, next) => {
      const closed = new AbortController();
      response.once('close', () => closed.abort());
      sleep(clock, latency, closed.signal).then(
        () => next(),
        () => undefined,
      );
    });
  }
  if (failRate > 0) handlers.push(fail(failRate, seed));
  return handlers;
}

/** Returns a rate limit by a token bucket for the requests of one second. */
function limit(perSecond: number, clock: Clock): RequestHandler {
  let left = perSecond;
  let filledAt = clock.now();
  return (_request, _response, next) => {
    const now = clock.now();
    left = Math.min(perSecond, left + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    if (left < 1) {
      const headers = { 'Retry-After': '1' };
      throw new ApiError(429, 'too_many_requests', `More than ${perSecond} requests a second. Wait.`, {
        headers,
      });
    }
    left--;
    next();
  };
}

/** Returns a handler that fails requests by the seed and their number, so that a rerun fails the same ones. */
function fail(rate: number, seed: number): RequestHandler {
  let requests = 0;
  return (_request, _response, next) => {
    const drawn = hash32(seed, 'failing request', requests++);
    if (drawn / 2 ** 32 >= rate) next();
    else throw new ApiError([500, 502, 503][drawn % 3] as number, 'unavailable', 'Try again later.');
  };
}

import type { Router } from 'express';
import { BusbarError } from '../../src/base/errors.js';
import { parseDuration } from '../engine/read-time.js';
import { formatInstant } from '../engine/time.js';
import type { Session } from '../run/session.js';
import { readBody } from './read.js';
import { resource } from './resource.js';

/** `/clock`: what time it is in the run, and moving it forward. */
export function clockResource(router: Router, session: Session): void {
  const read = () => ({ now: formatInstant(session.run.now), state: session.run.state });
  resource(router, '/clock', { get: () => ({ body: read() }) });
  resource(router, '/clock/advance', {
    async post(request) {
      const { to, by } = readBody(request, { to: 'instant', by: 'text' });
      if ((to === undefined) === (by === undefined)) {
        const message = 'Give "to", an instant, or "by", a duration as 1h, and not both.';
        throw new BusbarError('invalid-option', message);
      }
      const target = to ?? session.run.now + parseDuration('by', by ?? '');
      if (target < session.run.now) {
        throw new BusbarError(
          'invalid-option',
          `Virtual time does not go back: it is ${read().now}. Reset the run.`,
        );
      }
      await session.run.advance(target);
      return { body: read() };
    },
  });
}

import type { Router } from 'express';
import { formatInstant } from '../engine/time.js';
import type { Session } from '../run/session.js';
import { readBody, required } from './read.js';
import { resource } from './resource.js';

/** `/trigger`: one event at will, as `emulate trigger` makes it. */
export function triggerResource(router: Router, session: Session): void {
  resource(router, '/trigger', {
    async post(request) {
      const { event, ...options } = readBody(request, {
        event: 'text',
        set: 'texts',
        unset: 'texts',
        invalid: 'texts',
        validate: 'flag',
        payload: 'object',
        key: 'text',
        count: 'number',
        at: 'instant',
      });
      const inputs = await session.trigger(required('event', event), options);
      const triggered = inputs.flatMap((input) => {
        if (input.kind !== 'event') return [];
        const { at, nth, cell, type, version, key } = input;
        return [{ input: nth, at: formatInstant(at), cell, event_type: type, version, key }];
      });
      return { status: 202, body: { triggered } };
    },
  });
}

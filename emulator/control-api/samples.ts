import type { Router } from 'express';
import { BusbarError } from '../../src/base/errors.js';
import type { Session } from '../run/session.js';
import { readQuery } from './read.js';
import { resource } from './resource.js';

/** `/samples/EVENT`: a payload to begin with, as `/trigger` would draw it. */
export function samplesResource(router: Router, session: Session): void {
  resource(router, '/samples/:event', {
    async get(request) {
      const { nth = 0, fields = 'usual' } = readQuery(request, { nth: 'number', fields: 'text' });
      if (!(fields === 'usual' || fields === 'minimal' || fields === 'full')) {
        throw new BusbarError('invalid-option', '"fields" is usual, minimal or full.');
      }
      return { body: await session.sample(String(request.params['event']), { nth, fields }) };
    },
  });
}

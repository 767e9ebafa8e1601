import type { Router } from 'express';
import { formatInstant } from '../engine/time.js';
import type { Faults } from '../run/faults/settings.js';
import type { Session } from '../run/session.js';
import { readBody, required } from './read.js';
import { resource } from './resource.js';

/** `/faults`: what goes wrong on the way, from now on. */
export function faultsResource(router: Router, session: Session): void {
  const read = () => {
    const { inputs = [], faults = null } = session.plan;
    const last = inputs.findLast((input) => input.kind === 'faults');
    return last === undefined
      ? { faults, since: null }
      : { faults: last.faults, since: formatInstant(last.at) };
  };
  resource(router, '/faults', {
    get: () => ({ body: read() }),
    put(request) {
      const { faults } = readBody(request, { faults: 'any' });
      session.setFaults(required('faults', faults) as Faults);
      return { body: read() };
    },
    delete() {
      session.setFaults(null);
      return { body: read() };
    },
  });
}

import { day, formatInstant } from '../../engine/time.js';
import { localMidnight, openEnd } from '../../world/formats.js';
import { endOf, term } from '../facts/times.js';
import type { Scene } from '../subject.js';
import type { Area } from './area.js';

/** Spans of time, where nothing else is known about them. */
export const periods: Area = {
  fields: {
    start: (s) => localMidnight(term(s, 'effect').from),
    end: (s) => endOf(term(s, 'effect')),
    start_at: (s) => localMidnight(term(s, 'period').from),
    end_at: (s) => localMidnight(term(s, 'period').from + 30),
    period_start: (s) => localMidnight(term(s, 'period').from),
    period_end: (s) => localMidnight(term(s, 'period').from + 30),
  },
  inside: {
    // What is known now took effect in the system just now; what it replaced ended at that instant.
    system_period: {
      start: (s) => formatInstant(isSuperseded(s) ? s.at - 30 * day : s.at),
      end: (s) => (isSuperseded(s) ? formatInstant(s.at) : openEnd),
    },
  },
};

function isSuperseded(scene: Scene): boolean {
  return scene.list === 'superseded_versions';
}

import { yearOf } from '../../engine/time.js';
import type { Subject } from '../subject.js';

/** Serial number of an electricity meter: two digits of the year, a letter of the maker and seven digits. */
export function electricitySerial(subject: Subject, nth = 0): string {
  return subject.once(`electricity meter ${nth}`, (random) => {
    const year = random.integer(2013, yearOf(subject.today) - 1) % 100;
    return `${year}${random.pick(['L', 'E', 'K', 'S'])}${String(random.integer(0, 9_999_999)).padStart(7, '0')}`;
  });
}

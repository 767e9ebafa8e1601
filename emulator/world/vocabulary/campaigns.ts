import { type Day, dayOf, formatDay, yearOf } from '../../engine/time.js';

/** Something that accounts take part in for some time. */
export interface Campaign {
  readonly name: string;
  readonly slug: string;
  /** The first day after it. */
  readonly ends: Day;
}

/**
 * The campaigns that run on a day, the same for every account: one for the season, which goes on for the quarter after
 * it, and some for the year, which go on until the end of next March.
 */
export function campaignsOn(today: Day): readonly Campaign[] {
  const year = yearOf(today);
  const quarter = Math.floor((Number(formatDay(today).slice(5, 7)) - 1) / 3);
  const seasonEnds = dayOf(quarter < 2 ? year : year + 1, ((quarter + 2) % 4) * 3 + 1, 1);
  const season = seasons[quarter] ?? '';
  return [
    campaign(`${season} Saver ${year}`, seasonEnds),
    ...yearly.map((name) => campaign(`${name} ${year}`, dayOf(year + 1, 4, 1))),
  ];
}

const yearly = ['Refer A Friend', 'Smart Meter Drive', 'Paperless Pledge'];
const seasons = ['Winter', 'Spring', 'Summer', 'Autumn'];

function campaign(name: string, ends: Day): Campaign {
  return { name, slug: name.toLowerCase().replaceAll(' ', '-'), ends };
}

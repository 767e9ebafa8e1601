import { Dot, nthColour } from '../domains.js';
import { count, wallTime } from '../instants.js';
import { samples } from './consumers-state.js';

const [width, height] = [600, 150];
/** Minimum length of the axis, in milliseconds. */
const minLength = 60_000;

/** The lag of all consumers over the last minutes. */
export function LagChart() {
  const all = samples.value;
  const to = all.at(-1)?.at ?? Date.now();
  const from = Math.min(all[0]?.at ?? to, to - minLength);
  const most = Math.max(
    1,
    ...all.flatMap(({ consumers }) => Array.from(consumers.values(), ({ lag }) => lag)),
  );
  // A consumer that the emulator has forgotten leaves with its last value.
  const names = new Set(all.flatMap(({ consumers }) => [...consumers.keys()]));
  const lines = [...names].map((name, nth) => {
    const values = all.map(({ consumers }) => consumers.get(name)?.lag);
    const points = values.map((value, index) => {
      if (value === undefined) return '';
      const x = (width * ((all[index]?.at ?? to) - from)) / (to - from);
      const y = height * (1 - value / most);
      return `${values[index - 1] === undefined ? 'M' : 'L'}${x} ${y}h0`;
    });
    const last = values.at(-1);
    return {
      name,
      colour: nthColour(nth),
      path: points.join(''),
      last: last === undefined ? 'gone' : count(last),
    };
  });
  return (
    <figure class="card" aria-label="Lag">
      <figcaption class="card-head">
        <h2>Lag</h2>
        <span class="quiet">records behind, since you opened the page</span>
      </figcaption>
      <div class="lag-plot">
        <span>{count(most)}</span>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Lag up to ${wallTime(to)}: ${lines.map(({ name, last }) => `${name} ${last}`).join(', ')}`}
        >
          {lines.map(({ name, colour, path }) => (
            <path key={name} d={path} style={{ stroke: `oklch(${colour})` }} />
          ))}
        </svg>
        <span>{wallTime(from)}</span>
        <span>{wallTime(to)}</span>
      </div>
      <ul class="legend">
        {lines.map(({ name, colour, last }) => (
          <li key={name}>
            <Dot colour={colour} /> {name} <b>{last}</b>
          </li>
        ))}
      </ul>
    </figure>
  );
}

import { Dot, nthColour } from '../domains.js';
import { count, wallTime } from '../instants.js';
import { lags } from './lags.js';

const [width, height] = [600, 150];
/** Minimum length of the axis, in milliseconds. */
const minLength = 60_000;

/** The lag of all consumers over the last minutes. */
export function LagChart() {
  const { times, groups } = lags.value;
  const to = times.at(-1) ?? Date.now();
  const from = Math.min(times[0] ?? to, to - minLength);
  const most = Math.max(1, ...groups.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const lines = groups.map(({ name, values }, nth) => {
    const colour = nthColour(nth);
    const points = values.map((value, index) => {
      if (value === undefined) return '';
      const x = (width * ((times[index] ?? to) - from)) / (to - from);
      const y = height * (1 - value / most);
      return `${values[index - 1] === undefined ? 'M' : 'L'}${x} ${y}h0`;
    });
    const last = values.at(-1);
    return { name, colour, path: points.join(''), last: last === undefined ? 'gone' : count(last) };
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
          {lines.map(({ name, colour: { shade, hue }, path }) => (
            <path key={name} d={path} style={{ stroke: `oklch(var(${shade}) ${hue})` }} />
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

import { Dot, nthColour } from '../domains.js';
import { count, time } from '../instants.js';
import { lags } from './lags.js';

const [width, height] = [600, 150];
/** Minimum number of seconds on the axis. */
const minSeconds = 60;

/** The lag of all consumers over the last minutes. */
export function LagChart() {
  const { from, groups } = lags.value;
  const length = Math.max(1, ...groups.map(({ values }) => values.length));
  const seconds = Math.max(minSeconds, length);
  const most = Math.max(1, ...groups.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const clock = (second: number) => time(from + (length - seconds + second) * 1_000).slice(0, 8);
  const lines = groups.map(({ name, values }, nth) => {
    const colour = nthColour(nth);
    const points = values.map((value, index) => {
      if (value === undefined) return '';
      const x = (width * (seconds - length + index)) / (seconds - 1);
      const y = height * (1 - value / most);
      return `${values[index - 1] === undefined ? 'M' : 'L'}${x} ${y}h0`;
    });
    return { name, colour, path: points.join(''), last: count(values.findLast(isKnown) ?? 0) };
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
          aria-label={`Lag up to ${clock(seconds - 1)}: ${lines.map(({ name, last }) => `${name} ${last}`).join(', ')}`}
        >
          {lines.map(({ name, colour: { shade, hue }, path }) => (
            <path key={name} d={path} style={{ stroke: `oklch(var(${shade}) ${hue})` }} />
          ))}
        </svg>
        <span>{clock(0)}</span>
        <span>{clock(seconds - 1)}</span>
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

function isKnown(value: number | undefined): boolean {
  return value !== undefined;
}

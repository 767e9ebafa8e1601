import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type Colour, Dot } from '../domains.js';
import { count } from '../instants.js';
import { theme } from '../shell/theme.js';
import './chart.css';

export interface Series {
  readonly name: string;
  /** Undefined for grey. */
  readonly colour: Colour | undefined;
  readonly values: readonly (number | undefined)[];
}

/** A time axis with equal steps, in milliseconds. */
export interface Axis {
  readonly from: number;
  readonly step: number;
  /** Start of the drawing, if earlier. Default `from`. */
  readonly begin?: number;
  readonly format: (at: number) => string;
}

/** A chart with a legend, and a text alternative for screen readers. */
export function Chart({
  title,
  about,
  axis,
  series,
  isStack = false,
  none,
}: Drawn & {
  readonly title: string;
  readonly about: string;
  /** Text in place of an empty chart. */
  readonly none?: string;
}) {
  const isEmpty = !series.some(({ values }) => values.some((value) => value !== undefined));
  return (
    <figure class="card figure" aria-label={title}>
      <figcaption>
        <h2>{title}</h2> <span class="quiet">{about}</span>
      </figcaption>
      {isEmpty ? (
        <p class="quiet">{none ?? 'Nothing yet.'}</p>
      ) : (
        <>
          <Drawing axis={axis} series={series} isStack={isStack} label={describe(title, axis, series)} />
          <ul class="legend">
            {series.map(({ name, colour, values }) => (
              <li key={name}>
                <Dot colour={colour} />
                {name}{' '}
                <b>
                  {count(isStack ? total(values) : (values.findLast((value) => value !== undefined) ?? 0))}
                </b>
              </li>
            ))}
          </ul>
        </>
      )}
    </figure>
  );
}

const height = 180;

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

/** Round steps of the time axis. */
const increments = [
  ...[1, 5, 10, 15, 30].map((each) => each * second),
  ...[1, 2, 5, 10, 15, 30].map((each) => each * minute),
  ...[1, 2, 3, 6, 12].map((each) => each * hour),
  ...[1, 2, 5, 10, 30, 100, 365].map((each) => each * day),
];

interface Drawn {
  readonly axis: Axis;
  readonly series: readonly Series[];
  /** Whether the series are stacked. Default false. */
  readonly isStack?: boolean;
}

function Drawing({ axis, series, isStack = false, label }: Drawn & { readonly label: string }) {
  const container = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot | undefined>(undefined);
  // Other names or colours need a new drawing.
  const names = series.map(({ name }) => name).join('\n');
  const latest = useRef(axis);
  latest.current = axis;
  const data = dataOf(axis, series, isStack);
  const newest = useRef(data);
  newest.current = data;
  useEffect(() => {
    const element = container.current;
    if (element === null) return undefined;
    const draw = () => {
      drawn.current?.destroy();
      const options = optionsOf(element.clientWidth, series, isStack, () => latest.current);
      drawn.current = new uPlot(options, newest.current, element);
    };
    draw();
    const resized = new ResizeObserver(() => drawn.current?.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      drawn.current?.destroy();
      drawn.current = undefined;
    };
  }, [names, isStack, theme.value]);
  useEffect(() => drawn.current?.setData(data));
  return (
    <div class="drawing" ref={container} role="img" aria-label={label} style={{ height: `${height}px` }} />
  );
}

/** Returns the data for uPlot. The highest series of a stack is drawn first, lower series over it. */
function dataOf({ from, step }: Axis, series: readonly Series[], isStack: boolean): uPlot.AlignedData {
  const length = Math.max(0, ...series.map(({ values }) => values.length));
  // A stack needs the end of its last step.
  const times = Array.from({ length: isStack ? length + 1 : length }, (_, index) => from + index * step);
  if (!isStack) {
    const lines = series.map(({ values }) => values.map((value) => value ?? null));
    // uPlot would choose its own range for a single instant.
    return length === 1 ? [[from - step, from], ...lines.map((line) => [null, ...line])] : [times, ...lines];
  }
  const sums: number[][] = [];
  let below = Array<number>(length).fill(0);
  for (const { values } of series) {
    below = below.map((sum, index) => sum + (values[index] ?? 0));
    sums.push([...below, below.at(-1) ?? 0]);
  }
  return [times, ...sums.reverse()];
}

function optionsOf(
  width: number,
  series: readonly Series[],
  isStack: boolean,
  timeAxis: () => Axis,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const valueOf = (name: string) => style.getPropertyValue(name).trim();
  const strokeOf = (colour: Colour | undefined) =>
    colour === undefined ? valueOf('--faint') : `oklch(${valueOf(colour.shade)} ${colour.hue})`;
  const axis = {
    stroke: valueOf('--quiet'),
    grid: { stroke: valueOf('--line'), width: 1 },
    ticks: { show: false },
  };
  const ordered = isStack ? series.toReversed() : series;
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  return {
    width,
    height,
    // The dashboard draws its own legend, which is accessible.
    legend: { show: false },
    cursor: { show: false },
    padding: [10, 28, 0, 0],
    scales: {
      x: {
        time: false,
        range: (_plot, low, high) => [Math.min(low, timeAxis().begin ?? low), Math.max(high, low + 1)],
      },
      y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.08)] },
    },
    axes: [
      {
        ...axis,
        space: 100,
        size: 28,
        incrs: increments,
        values: (_plot, splits) => splits.map((at) => timeAxis().format(at)),
      },
      {
        ...axis,
        size: 52,
        values: (_plot, splits) => splits.map((each) => (Number.isInteger(each) ? count(each) : '')),
      },
    ],
    series: [
      {},
      ...ordered.map(
        ({ name, colour }): uPlot.Series => ({
          label: name,
          stroke: strokeOf(colour),
          width: isStack ? 0 : 2,
          points: { show: !isStack, size: 4, fill: strokeOf(colour) },
          ...(isStack && { fill: strokeOf(colour) }),
          ...(isStack && stepped && { paths: stepped }),
        }),
      ),
    ],
  };
}

function describe(title: string, { from, step, format }: Axis, series: readonly Series[]): string {
  const length = Math.max(0, ...series.map(({ values }) => values.length));
  const names = series.map(({ name, values }) => `${name} at most ${count(highest(values))}`);
  return `${title}, from ${format(from)} to ${format(from + length * step)}: ${names.join(', ')}.`;
}

function highest(values: Series['values']): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
}

function total(values: Series['values']): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

import { useEffect, useState } from 'preact/hooks';
import { type Colour, colourOf, nthColour } from '../domains.js';
import { count, dateAndTime, span, time } from '../instants.js';
import { liveFeed } from '../live/live-feed.js';
import { go, place } from '../place.js';
import { EmptyState } from '../shell/empty-state.js';
import type { Bin, Bins } from '../stream/tally.js';
import { Chart, type Series } from './chart.js';
import { lags } from './lags.js';

/** The run in numbers over time: what came, how long it was on the way, how far consumers are, what went wrong. */
export function Charts() {
  useEverySecond();
  const { tally, counts } = liveFeed.value;
  const isFiltered = Object.keys(place.value.filter).length > 0;
  const { recent, virtual } = tally;
  if (counts.received === 0) {
    return (
      <EmptyState title="Nothing to draw yet" command="npx emulate --scenario everyday --speed 3600">
        Charts begin with the first event. A run with a lively population:
      </EmptyState>
    );
  }
  const now = Date.now();
  // Seconds without events are seconds, too.
  recent.at(now);
  const wall = {
    begin: now - 60_000,
    from: recent.first ?? 0,
    step: recent.width,
    tell: (at: number) => time(at).slice(0, 8),
  };
  const world = {
    from: virtual.first ?? 0,
    step: virtual.width,
    tell: (at: number) => dateAndTime(at).slice(5, 16),
  };
  const byDomain = (bins: Bins) => stackOf(bins, ({ byDomain: counted }) => counted, colourOf);
  const faults = stackOf(
    virtual,
    ({ byFault }) => byFault,
    (_, nth) => nthColour(nth + 2),
  );
  const delays = recent.list.map(({ delay }) => delay);
  return (
    <section class="pane charts" aria-label="Charts" tabIndex={0} data-testid="charts">
      {isFiltered && (
        <p class="notice">
          Only what fits the filter of the live view is counted.{' '}
          <button type="button" class="link" onClick={() => go({ filter: {} }, 'replace')}>
            Count all
          </button>
        </p>
      )}
      <Chart
        title="Events a second"
        about="by domain, the last five minutes"
        isStack
        axis={wall}
        series={byDomain(recent)}
      />
      <Chart
        title="Events in virtual time"
        about={`by domain, the whole run, ${span(virtual.width)} at a time`}
        isStack
        axis={world}
        series={byDomain(virtual)}
      />
      <Chart
        title="From the emulator to this page"
        about="the slowest event of each second, in milliseconds"
        axis={wall}
        series={[{ name: 'on the way', colour: nthColour(0), values: delays }]}
        none="Only events that come while this page is open are timed."
      />
      <Chart
        title="Lag of consumers"
        about="records behind the end, by group"
        axis={{ begin: wall.begin, from: lags.value.from, step: 1_000, tell: wall.tell }}
        series={lags.value.groups.map(({ name, values }, nth) => ({ name, colour: nthColour(nth), values }))}
        none="Nobody consumes yet."
      />
      <Chart
        title="Faults"
        about={`by kind, in virtual time, ${span(virtual.width)} at a time`}
        isStack
        axis={world}
        series={faults}
        none="None was done. Set some on the page Run, or begin with --faults duplicate=5%."
      />
      <p class="quiet total">{count(counts.received)} events counted.</p>
    </section>
  );
}

/** How many names a chart tells apart; the rest are one. */
const mostNames = 9;

/** The largest names first, at the bottom of the stack. */
function stackOf(
  bins: Bins,
  countsOf: (bin: Bin) => ReadonlyMap<string, number>,
  colour: (name: string, nth: number) => Colour,
): Series[] {
  const totals = new Map<string, number>();
  for (const bin of bins.list) {
    for (const [name, times] of countsOf(bin)) totals.set(name, (totals.get(name) ?? 0) + times);
  }
  const names = [...totals].sort(([, one], [, other]) => other - one).map(([name]) => name);
  const shown = names.length > mostNames ? names.slice(0, mostNames - 1) : names;
  const others = names.slice(shown.length);
  const series = shown.map((name, nth) => ({
    name,
    colour: colour(name, nth),
    values: bins.list.map((bin) => countsOf(bin).get(name) ?? 0),
  }));
  if (others.length === 0) return series;
  const values = bins.list.map((bin) =>
    others.reduce((sum, name) => sum + (countsOf(bin).get(name) ?? 0), 0),
  );
  return [...series, { name: 'other', colour: undefined, values }];
}

/** A chart that moves with every frame cannot be read. */
function useEverySecond(): void {
  const [, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn((turn) => turn + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
}

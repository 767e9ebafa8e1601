import { useEffect, useState } from 'preact/hooks';
import { type Colour, colourOf, nthColour } from '../domains.js';
import { counted, dateAndTime, span, time } from '../instants.js';
import { mainFeed } from '../stream/main-feed.js';
import { EmptyState, StartLink } from '../shell/empty-state.js';
import type { Bin, Bins } from '../stream/tally.js';
import { Chart, type Series } from './chart.js';
import { lags } from './lags.js';
import './charts.css';

/** Charts of the run: events, delay, consumer lag and faults. */
export function Charts() {
  useEverySecond();
  const { tally, counts } = mainFeed;
  const { recent, virtual } = tally;
  if (counts.received === 0) {
    return (
      <EmptyState title="No events yet">
        The charts start with the first event. <StartLink />
      </EmptyState>
    );
  }
  const now = Date.now();
  // Adds bins for seconds without events.
  recent.at(now);
  const wall = {
    begin: now - 60_000,
    from: recent.first ?? 0,
    step: recent.width,
    format: (at: number) => time(at).slice(0, 8),
  };
  const world = {
    from: virtual.first ?? 0,
    step: virtual.width,
    format: (at: number) => dateAndTime(at).slice(5, 16),
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
      <Chart
        title="Events per second"
        about="by domain, last five minutes"
        isStack
        axis={wall}
        series={byDomain(recent)}
      />
      <Chart
        title="Events in virtual time"
        about={`by domain, whole run, per ${span(virtual.width)}`}
        isStack
        axis={world}
        series={byDomain(virtual)}
      />
      <Chart
        title="Delay to the dashboard"
        about="slowest event of each second, in milliseconds"
        axis={wall}
        series={[{ name: 'delay', colour: nthColour(0), values: delays }]}
        none="Only events that arrive while the dashboard is open have a delay."
      />
      <Chart
        title="Consumer lag"
        about="records, by group"
        axis={{ begin: wall.begin, from: lags.value.from, step: 1_000, format: wall.format }}
        series={lags.value.groups.map(({ name, values }, nth) => ({ name, colour: nthColour(nth), values }))}
        none="No consumers yet."
      />
      <Chart
        title="Faults"
        about={`by kind, in virtual time, per ${span(virtual.width)}`}
        isStack
        axis={world}
        series={faults}
        none="No faults yet. Set faults in the Run view, or start with --faults duplicate=5%."
      />
      <p class="quiet total">{counted(counts.received, 'event')} counted.</p>
    </section>
  );
}

/** Most series of a chart. The last one totals the rest. */
const maxNames = 9;

/** Returns the series of a stack, the largest first. */
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
  const shown = names.length > maxNames ? names.slice(0, maxNames - 1) : names;
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

/** Draws the charts once per second: a chart that moves with every frame is unreadable. */
function useEverySecond(): void {
  const [, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn((turn) => turn + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
}

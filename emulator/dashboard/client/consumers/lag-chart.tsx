import { Chart } from '../charts/chart.js';
import { nthColour } from '../domains.js';
import { time } from '../instants.js';
import { lags } from './lags.js';

/** The lag of all consumers over the last minutes. */
export function LagChart() {
  const { from, groups } = lags.value;
  return (
    <Chart
      title="Lag"
      about="records behind, since you opened the page"
      axis={{ begin: Date.now() - 60_000, from, step: 1_000, format: (at) => time(at).slice(0, 8) }}
      series={groups.map(({ name, values }, nth) => ({ name, colour: nthColour(nth), values }))}
    />
  );
}

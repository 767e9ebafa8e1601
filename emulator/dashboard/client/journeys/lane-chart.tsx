import { dateAndTime } from '../instants.js';
import { type Lane, sortLanes } from './lanes.js';
import type { Moment } from './moments.js';

/** A chart of the journey: virtual time from left to right, and a lane per topic. */
export function LaneChart({
  moments,
  now,
  open,
  choose,
}: {
  readonly moments: readonly Moment[];
  readonly now: number;
  readonly open: string | undefined;
  readonly choose: (moment: Moment) => void;
}) {
  const [from, to] = [moments[0]?.at ?? 0, moments.at(-1)?.at ?? 1];
  const percent = (at: number) => (to === from ? 0 : (100 * (at - from)) / (to - from));
  const lanes = sortLanes(moments.map(({ lane }) => lane));
  return (
    <div class="chart" data-testid="lanes">
      {lanes.map((lane) => (
        <LaneRow
          key={lane.name}
          lane={lane}
          moments={moments.filter((moment) => moment.lane.name === lane.name)}
          percent={percent}
          open={open}
          choose={choose}
          now={now >= from && now < to ? percent(now) : undefined}
        />
      ))}
      <div class="chart-axis mono">
        <span>{dateAndTime(from).slice(0, 10)}</span>
        {now >= from && now < to && <span class="faint">now {dateAndTime(now).slice(0, 16)}</span>}
        <span>{dateAndTime(to).slice(0, 10)}</span>
      </div>
    </div>
  );
}

function LaneRow({
  lane,
  moments,
  percent,
  open,
  choose,
  now,
}: {
  readonly lane: Lane;
  readonly moments: readonly Moment[];
  readonly percent: (at: number) => number;
  readonly open: string | undefined;
  readonly choose: (moment: Moment) => void;
  readonly now: number | undefined;
}) {
  return (
    <div class="lane" style={{ '--hue': String(lane.hue) }}>
      <span class="lane-name">{lane.name}</span>
      <div class="lane-track">
        {now !== undefined && <span class="lane-now" style={{ left: `${now}%` }} />}
        {moments.map((moment) => (
          // Keyboards and screen readers use the list below.
          <span
            key={moment.id}
            class={`lane-dot ${moment.state}${moment.faults.length > 0 ? ' faulty' : ''}${moment.id === open ? ' open' : ''}`}
            style={{ left: `${percent(moment.at)}%` }}
            title={`${moment.type}, ${dateAndTime(moment.at)}`}
            aria-hidden="true"
            onClick={() => choose(moment)}
          />
        ))}
      </div>
    </div>
  );
}

import { dateAndTime, day, span, time } from '../instants.js';
import { sortLanes } from './lanes.js';
import type { Moment } from './moments.js';
import { visible } from '../visible.js';
import { timeAxis } from './time-axis.js';

/** A chart of the journey: virtual time from left to right, with compressed pauses, and a lane per topic. */
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
  const [from, to] = [moments[0]?.at ?? 0, moments.at(-1)?.at ?? 0];
  const { percent, pauses, positions, units } = timeAxis(moments.map(({ at }) => at));
  const places = new Map(moments.map((moment, index) => [moment, positions[index]]));
  const left = (at: number) => ({ left: `${percent(at)}%` });
  const lanes = sortLanes(moments.map(({ lane }) => lane));
  return (
    <div class="chart" tabIndex={0} role="region" aria-label="Journey in virtual time" data-testid="lanes">
      <div class="lanes" style={{ minWidth: `${Math.ceil(units * 12) + 120}px` }}>
        {lanes.map(({ name, hue }) => (
          <div key={name} class="lane" style={{ '--hue': String(hue) }}>
            <span class="lane-name">{name}</span>
            <div class="lane-track">
              {moments
                .filter(({ lane }) => lane.name === name)
                .map((moment) => (
                  // Keyboards and screen readers use the list below.
                  <span
                    key={moment.id}
                    class={`lane-dot ${moment.state}${moment.faults.length > 0 ? ' faulty' : ''}${moment.id === open ? ' open' : ''}`}
                    style={{ left: `${places.get(moment)}%` }}
                    title={`${visible(moment.type)}, ${dateAndTime(moment.at)}`}
                    aria-hidden="true"
                    onClick={() => choose(moment)}
                  />
                ))}
            </div>
          </div>
        ))}
        <div class="chart-time mono">
          {pauses.map((pause) => (
            <span
              key={pause.from}
              class="chart-pause"
              style={{ ...left(pause.from), right: `${100 - percent(pause.to)}%` }}
              data-testid="pause"
            >
              {span(pause.to - pause.from)}
            </span>
          ))}
          {[from, ...pauses.map((pause) => pause.to)].map((at) => (
            <span key={at} class="chart-day" style={left(at)}>
              {day(at).split(' ').slice(1, 3).join(' ')}
            </span>
          ))}
          {now >= from && now < to && (
            <span
              class={`chart-now${percent(now) > 50 ? ' before' : ''}`}
              style={left(now)}
              data-testid="journey-now"
            >
              now {time(now).slice(0, 5)}
            </span>
          )}
        </div>
      </div>
    </div>
  );
}

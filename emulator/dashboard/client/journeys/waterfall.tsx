import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { colourOf } from '../domains.js';
import { dateAndTime, day, span, time } from '../instants.js';
import { isOfBrowser } from '../shell/keyboard.js';
import type { Moment } from './moments.js';
import { timeAxis } from './time-axis.js';

/** A bar of the waterfall, with the moments of one process. */
export interface Bar {
  readonly id: string;
  readonly head: ComponentChildren;
  readonly moments: readonly Moment[];
  /** Instants where another outcome changes the process. */
  readonly forks: readonly { readonly at: number; readonly label: string; readonly choose: () => void }[];
}

const maxZoom = 16;

/** Processes in virtual time, with compressed pauses: a bar for each, with its events, its forks and its faults. */
export function Waterfall({
  label,
  bars,
  now,
  open,
  choose,
}: {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly now: number;
  readonly open: string | undefined;
  readonly choose: (moment: Moment) => void;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const shown = useRef(zoom);
  // The middle stays in the middle.
  useLayoutEffect(() => {
    const { current: element } = frame;
    if (element === null) return;
    const half = element.clientWidth / 2;
    element.scrollLeft = ((element.scrollLeft + half) * zoom) / shown.current - half;
    shown.current = zoom;
  }, [zoom]);
  const moments = bars.flatMap((bar) => bar.moments).sort((one, other) => one.at - other.at);
  const [from, to] = [moments[0]?.at ?? 0, moments.at(-1)?.at ?? 0];
  const { percent, pauses, positions, units } = timeAxis(moments.map(({ at }) => at));
  const places = new Map(moments.map((moment, index) => [moment, positions[index] ?? 0]));
  const left = (at: number) => ({ left: `${percent(at)}%` });
  const resize = (factor: number) => setZoom((each) => Math.min(maxZoom, Math.max(1, each * factor)));
  const focused = moments.find(({ id }) => id === open) ?? moments[0];
  const move = (by: number, { id }: Moment) => {
    const next = moments[moments.findIndex((moment) => moment.id === id) + by];
    if (next === undefined) return;
    choose(next);
    frame.current?.querySelector<HTMLElement>(`[data-tick="${next.id}"]`)?.focus();
  };
  const keyPressed = (event: KeyboardEvent) => {
    if (isOfBrowser(event)) return;
    const factor = { '+': 2, '=': 2, '-': 0.5, '0': 1 / maxZoom }[event.key];
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const id = event.target instanceof HTMLElement ? event.target.dataset['tick'] : undefined;
    const moment = moments.find((each) => each.id === id);
    if (factor !== undefined) resize(factor);
    else if (by !== undefined && moment !== undefined) move(by, moment);
    else return;
    event.preventDefault();
  };
  return (
    <div class="waterfall" onKeyDown={keyPressed}>
      <div class="segments" role="group" aria-label="Zoom">
        <button type="button" aria-label="Zoom out" disabled={zoom === 1} onClick={() => resize(0.5)}>
          −
        </button>
        <button type="button" aria-label="Zoom in" disabled={zoom === maxZoom} onClick={() => resize(2)}>
          +
        </button>
      </div>
      <div
        class="frame waterfall-frame"
        ref={frame}
        tabIndex={0}
        role="region"
        aria-label={label}
        data-testid="waterfall"
        onWheel={(event) => {
          if (!event.ctrlKey) return;
          event.preventDefault();
          resize(event.deltaY < 0 ? 2 : 0.5);
        }}
      >
        <div
          class="waterfall-plane"
          style={{ width: `max(${zoom * 100}%, ${Math.ceil(units * 12 * zoom) + 40}px)` }}
        >
          {bars.map((bar) => {
            const [first, last] = [bar.moments[0]?.at ?? 0, bar.moments.at(-1)?.at ?? 0];
            const reached = Math.min(Math.max(now, first), last);
            return (
              <div key={bar.id} class="process" data-testid="process">
                <div class="process-head">{bar.head}</div>
                <div class="process-track">
                  <span class="process-bar" style={{ ...left(first), right: `${100 - percent(reached)}%` }} />
                  <span
                    class="process-bar ahead"
                    style={{ ...left(reached), right: `${100 - percent(last)}%` }}
                  />
                  {bar.moments
                    .filter(({ late }) => late > 0)
                    .map(({ id, at, late }) => (
                      <span
                        key={id}
                        class="late"
                        style={{ ...left(at), right: `${100 - percent(at + late)}%` }}
                      />
                    ))}
                  {bar.forks.map(({ at, label, choose: fork }) => (
                    // Keyboards and screen readers use the buttons of the head.
                    <span
                      key={label}
                      class="fork"
                      style={left(at)}
                      title={label}
                      aria-hidden="true"
                      onClick={fork}
                    />
                  ))}
                  {bar.moments.map((moment) => {
                    const { id, state, faults, type, at } = moment;
                    return (
                      <button
                        type="button"
                        key={id}
                        class={`tick ${state}${faults.length > 0 ? ' faulty' : ''}${id === open ? ' open' : ''}`}
                        style={{ left: `${places.get(moment)}%`, '--tint': colourOf(moment.domain) }}
                        tabIndex={moment === focused ? 0 : -1}
                        aria-label={[type, dateAndTime(at).slice(0, 19), state, ...faults].join(', ')}
                        data-tick={id}
                        onClick={() => choose(moment)}
                      />
                    );
                  })}
                </div>
              </div>
            );
          })}
          <div class="waterfall-time mono">
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
              <span key={at} class={`chart-day${percent(at) > 96 ? ' before' : ''}`} style={left(at)}>
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
    </div>
  );
}

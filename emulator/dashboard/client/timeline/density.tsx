import { colourOf } from '../domains.js';
import type { TimelineAxis } from './axis.js';

const [width, height] = [1_000, 40];
/** Height of the marks of faults and inputs, at the bottom and at the top. */
const mark = 4;

/** The events of each slice by domain, as a stack; faults below it, inputs above it, and the planned events dashed. */
export function Density({ axis: { slices } }: { readonly axis: TimelineAxis }) {
  const most = Math.max(1, ...slices.map(({ events, ahead }) => events + ahead));
  const share = width / slices.length;
  const room = height - 2 * mark;
  // The root keeps a few events visible next to thousands.
  const high = (events: number) => room * Math.sqrt(events / most);
  const totals = new Map<string, number>();
  for (const { byDomain } of slices) {
    for (const [domain, events] of byDomain) totals.set(domain, (totals.get(domain) ?? 0) + events);
  }
  const domains = [...totals].sort(([, one], [, other]) => other - one).map(([domain]) => domain);
  const below = slices.map(() => height - mark);
  const box = (index: number, top: number, tall: number) =>
    `M${index * share} ${top}h${share * 0.9}v${tall}h${-share * 0.9}z`;
  return (
    <svg class="density" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {domains.map((domain) => {
        const { shade, hue } = colourOf(domain);
        const path = slices.map(({ byDomain, events }, index) => {
          const own = byDomain.get(domain);
          if (own === undefined) return '';
          const tall = (high(events) * own) / events;
          below[index] = (below[index] ?? 0) - tall;
          return box(index, below[index] ?? 0, tall);
        });
        return <path key={domain} d={path.join('')} style={{ fill: `oklch(var(${shade}) ${hue})` }} />;
      })}
      <path
        class="density-ahead"
        d={slices
          .map(({ ahead }, index) =>
            ahead === 0 ? '' : box(index, height - mark - high(ahead), high(ahead)),
          )
          .join('')}
      />
      <path
        class="density-faults"
        d={slices
          .map(({ faults }, index) => (faults === 0 ? '' : box(index, height - mark + 1, mark - 1)))
          .join('')}
      />
      <path
        class="density-inputs"
        d={slices.map(({ labels }, index) => (labels.length > 0 ? box(index, 0, mark - 1) : '')).join('')}
      />
    </svg>
  );
}

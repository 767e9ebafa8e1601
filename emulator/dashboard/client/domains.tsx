import { computed } from '@preact/signals';
import { catalogue } from './catalogue.js';

/** The part of the business that an event belongs to; of one that nobody knows, what stands before the first dot. */
export function domainOf(type: string, version: string): string {
  return catalogue.value.get(`${type}-${version}`)?.domain ?? type.split('.', 1)[0] ?? type;
}

/** A hue for each domain, the same on every page. Those with the most events are the farthest apart. */
export function hueOf(domain: string): number {
  return nthHue(ranks.value.get(domain) ?? ranks.value.size + domain.length);
}

/** Hues far from those before, however many there are. */
export function nthHue(nth: number): number {
  // The golden angle; the first is that of a calm blue.
  return Math.round(230 + nth * 137.508) % 360;
}

const ranks = computed(() => {
  const sizes = new Map<string, number>();
  for (const { domain } of catalogue.value.values()) sizes.set(domain, (sizes.get(domain) ?? 0) + 1);
  const sorted = [...sizes].sort(
    ([one, size], [other, otherSize]) => otherSize - size || (one < other ? -1 : 1),
  );
  return new Map(sorted.map(([domain], rank) => [domain, rank]));
});

/** A dot of that hue, or grey. */
export function Dot({ hue }: { readonly hue: number | undefined }) {
  const background = hue === undefined ? 'var(--faint)' : `oklch(var(--shade) ${hue})`;
  return <span class="dot" style={{ background }} aria-hidden="true" />;
}

export function DomainDot({ domain }: { readonly domain: string }) {
  return <Dot hue={hueOf(domain)} />;
}

/** A name that may break after its dots, dashes and underscores. */
export function Breakable({ name }: { readonly name: string }) {
  const pieces = name.split(/(?<=[._-])/);
  return <>{pieces.flatMap((piece, index) => (index === 0 ? [piece] : [<wbr key={index} />, piece]))}</>;
}

/** An event type; its domain stands back. */
export function TypeName({ type }: { readonly type: string }) {
  const end = type.indexOf('.') + 1;
  return (
    <span class="type">
      {end > 0 && <span class="faint">{type.slice(0, end)}</span>}
      <Breakable name={type.slice(end)} />
    </span>
  );
}

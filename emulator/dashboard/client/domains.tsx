import { computed } from '@preact/signals';
import { catalogue } from './catalogue.js';

/** Returns the domain of an event type, as the catalogue does, also for a type that is not in it. */
export function domainOf(type: string): string {
  return type.includes('.') ? type.slice(0, type.indexOf('.')) : type.split('_', 2).join('_');
}

/** Returns the colour of a domain. The domains with the most events have the most distant colours. */
export function colourOf(domain: string): string {
  return nthColour(ranks.value.get(domain) ?? ranks.value.size + domain.length);
}

/**
 * Returns the nth of distinct colours, as the components of `oklch()`: eight hues of one shade, then of the next. More hues
 * would look alike.
 */
export function nthColour(nth: number): string {
  // Steps of the golden angle, from blue.
  const hue = Math.round(230 + nth * 137.508) % 360;
  return `var(${shades[Math.floor(nth / 8) % shades.length]}) ${hue}`;
}

/** CSS custom properties with lightness and chroma. */
const shades = ['--shade', '--deep', '--muted'];

const ranks = computed(() => {
  const sizes = new Map<string, number>();
  for (const { domain } of catalogue.value.values()) sizes.set(domain, (sizes.get(domain) ?? 0) + 1);
  const sorted = [...sizes].sort(
    ([one, size], [other, otherSize]) => otherSize - size || (one < other ? -1 : 1),
  );
  return new Map(sorted.map(([domain], rank) => [domain, rank]));
});

export function Dot({ colour }: { readonly colour: string }) {
  return <span class="dot" style={{ '--tint': colour }} aria-hidden="true" />;
}

export function DomainDot({ domain }: { readonly domain: string }) {
  return <Dot colour={colourOf(domain)} />;
}

/** The name of a domain on its colour. */
export function DomainChip({ domain }: { readonly domain: string }) {
  return (
    <span class="domain" style={{ '--tint': colourOf(domain) }}>
      {domain}
    </span>
  );
}

/** A name that may break after its dots, dashes and underscores. */
export function Breakable({ name }: { readonly name: string }) {
  const pieces = name.split(/(?<=[._-])/);
  return <>{pieces.flatMap((piece, index) => (index === 0 ? [piece] : [<wbr key={index} />, piece]))}</>;
}

/** An event type, with its domain in a lighter colour. */
export function TypeName({ type }: { readonly type: string }) {
  const end = type.indexOf('.') + 1;
  return (
    <span class="type">
      {end > 0 && <span class="faint">{type.slice(0, end)}</span>}
      <Breakable name={type.slice(end)} />
    </span>
  );
}

import { catalogue } from './catalogue.js';

/** The part of the business that an event belongs to; of one that nobody knows, what stands before the first dot. */
export function domainOf(type: string, version: string): string {
  return catalogue.value.get(`${type}-${version}`)?.domain ?? type.split('.', 1)[0] ?? type;
}

/** A hue for each domain, far from those of similar names; the same on every page. */
export function hueOf(domain: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < domain.length; at++) hash = Math.imul(hash ^ domain.charCodeAt(at), 16_777_619);
  return ((hash >>> 0) % 24) * 15;
}

export function DomainDot({ domain }: { readonly domain: string }) {
  return <span class="dot" style={{ '--hue': String(hueOf(domain)) }} aria-hidden="true" />;
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

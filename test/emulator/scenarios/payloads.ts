import type { EventType, PayloadOf, VersionOf } from '../../../catalogue/index.js';
import type { OutgoingEvent } from '../../../emulator/index.js';

/** As much of an emission as there is before it is encoded. */
export type Happened = Pick<OutgoingEvent, 'at' | 'cell' | 'key'> & {
  readonly envelope: Pick<OutgoingEvent['envelope'], 'event_type' | 'version' | 'payload'>;
};

/** An event with its payload. */
export type Carrying<P> = Happened & { readonly payload: P };

/** The emissions of that type and version, in order, each with its payload. */
export function of<T extends EventType, V extends VersionOf<T>>(
  emissions: readonly Happened[],
  type: T,
  version: V,
): Carrying<PayloadOf<T, V>>[] {
  return emissions
    .filter(({ envelope }) => envelope.event_type === type && envelope.version === version)
    .map((emission) => ({ ...emission, payload: emission.envelope.payload as PayloadOf<T, V> }));
}

/** The one emission of that type and version. @throws Error when there is none, or more. */
export function only<T extends EventType, V extends VersionOf<T>>(
  emissions: readonly Happened[],
  type: T,
  version: V,
): Carrying<PayloadOf<T, V>> {
  const [found, ...others] = of(emissions, type, version);
  if (found === undefined || others.length > 0) {
    throw new Error(`Expected one "${type}-${version}", found ${others.length + (found ? 1 : 0)}.`);
  }
  return found;
}

/** The emissions of each cell, which in these runs is those of one instance. */
export function byCell<E extends Happened>(emissions: readonly E[]): E[][] {
  const cells = new Map<number, E[]>();
  for (const emission of emissions) {
    const cell = cells.get(emission.cell);
    if (cell === undefined) cells.set(emission.cell, [emission]);
    else cell.push(emission);
  }
  return [...cells.values()];
}

/** Event types of each cell in order, one for all versions of an occurrence. */
export function sequences(emissions: readonly OutgoingEvent[]): string[][] {
  const cells = new Map<number, string[]>();
  const seen = new Set<string>();
  for (const { cell, envelope, headers } of emissions) {
    const occurrence = headers['occurrence-id'] ?? '';
    if (seen.has(occurrence)) continue;
    seen.add(occurrence);
    cells.set(cell, [...(cells.get(cell) ?? []), envelope.event_type]);
  }
  return [...cells.values()];
}

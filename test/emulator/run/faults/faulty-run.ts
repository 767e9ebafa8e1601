import { type Catalogue, openCatalogue } from '../../../../catalogue/index.js';
import type { OutgoingEvent } from '../../../../emulator/index.js';
import type { FaultMask } from '../../../../emulator/run/faults/decide.js';
import type { InjectedFault } from '../../../../emulator/run/faults/fault-log.js';
import { injectFaults } from '../../../../emulator/run/faults/inject.js';
import type { SwitchedFaults } from '../../../../emulator/run/inputs.js';
import { type Faults, readFaults } from '../../../../emulator/run/faults/settings.js';
import type { SourceItem, Source } from '../../../../emulator/run/source.js';

const catalogue = openCatalogue();
const event = catalogue.find('account.occupied', 'v1')!;
await catalogue.validator(event);

/** An event of `account.occupied`, `at` a virtual millisecond, with an id and a key of its own or shared ones. */
export function occupied(n: number, at: number, key = `A-${n}`): OutgoingEvent {
  return outgoing(n, { at, key });
}

/** An event with an id of its own, by default of `account.occupied`. */
export function outgoing(
  n: number,
  {
    at = 0,
    key = `A-${n}`,
    type = event.type,
    version = event.version,
    payload = { account_number: key },
  }: {
    readonly at?: number;
    readonly key?: string;
    readonly type?: string;
    readonly version?: string;
    readonly payload?: unknown;
  } = {},
): OutgoingEvent {
  const id = `019a0000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
  const envelope = { id, event_type: type, version, occurred_at: new Date(at).toISOString(), payload };
  return {
    envelope,
    bytes: Buffer.from(JSON.stringify(envelope)),
    headers: { 'event-type': type, 'event-version': version, 'event-id': id },
    key,
    at,
    cell: 1,
    instance: 'sample#1',
    step: 'step',
    faults: [],
  };
}

export function sourceOf(emissions: readonly OutgoingEvent[]): Source {
  const left = emissions.map((emission): SourceItem => ({ at: emission.at, emissions: [emission] }));
  let next = 0;
  return { next: () => left[next++], faults: new Map(), branches: new Map(), close: () => undefined };
}

export interface Sent {
  readonly sendings: readonly SourceItem[];
  readonly emissions: readonly OutgoingEvent[];
  readonly ledger: readonly InjectedFault[];
  readonly counts: ReadonlyMap<string, number>;
}

/** Faults that are done from an instant on; null for none. */
export function switchedTo(faults: Faults | null, at: number): SwitchedFaults {
  return { at, settings: readFaults(faults ?? {}) };
}

/** Sends events through faults. */
export async function through(
  faults: Faults | null,
  emissions: readonly OutgoingEvent[],
  {
    seed = 1,
    mask,
    switched = [],
    of = catalogue,
  }: {
    seed?: number;
    mask?: FaultMask;
    switched?: readonly SwitchedFaults[];
    /** Catalogue of the events. */
    of?: Catalogue;
  } = {},
): Promise<Sent> {
  const ledger: InjectedFault[] = [];
  const source = injectFaults(sourceOf(emissions), {
    seed,
    settings: readFaults(faults ?? {}),
    laterSettings: switched,
    catalogue: of,
    ...(mask && { mask }),
    log: {
      add: (fault) => ledger.push(fault),
      flush: () => undefined,
      close: () => Promise.resolve(),
    },
  });
  const sendings: SourceItem[] = [];
  for (let next = await source.next(); next !== undefined; next = await source.next()) {
    if ('emissions' in next) sendings.push(next);
  }
  await source.close();
  return {
    sendings,
    emissions: sendings.flatMap((sending) => sending.emissions),
    ledger,
    counts: source.faults,
  };
}

export { catalogue, event };

import type { platformApi } from 'busbar/catalogue';
import type { Page } from '../start/http-reader.js';
import type * as own from '../control-api/generated/operations.js';

/** The responses of the platform's REST API and of the emulator's own API about an account at the end of a run. */
export interface Served {
  /** The virtual time of the responses. */
  readonly at: string;
  readonly account: platformApi.Account;
  readonly own: own.Account;
  readonly bills: readonly Bill[];
  /** Entries by ledger. */
  readonly entries: ReadonlyMap<string, readonly own.LedgerEntry[]>;
  /** Readings by meter point. */
  readonly readings: ReadonlyMap<string, readonly Reading[]>;
  /** Products by code. */
  readonly products: ReadonlyMap<string, platformApi.Product>;
  /** Rates by tariff, those at the beginnings of agreements and of lines; none for a tariff that does not exist. */
  readonly rates: ReadonlyMap<string, readonly Rate[]>;
  /** Unit rates by tariff, the newest first, of the tariffs that no earlier account has. */
  readonly unitRates: ReadonlyMap<string, Page<platformApi.UnitRate>>;
  /** Switches of supply points by meter point, in order. */
  readonly switches: ReadonlyMap<string, readonly Switch[]>;
  /** The first events of the account, which share an instant, and what was served just before and after them. */
  readonly first: FirstEvents;
}

export type Bill = own.Bill;
export type Charge = Bill['charges'][number];
export type Line = Charge['lines'][number];
export type Reading = own.Reading;
export type Rate = own.Operations['getTariff']['response']['rates'][number];
export type Agreement = platformApi.ElectricityMeterPoint['agreements'][number];

/** An event that a supply point was switched off or on at the start of a day. */
export interface Switch {
  readonly on: string;
  readonly isOff: boolean;
}

export interface FirstEvents {
  readonly events: readonly { readonly type: string; readonly payload: unknown }[];
  /** Undefined if the account did not exist, or the run had no earlier event. */
  readonly before: ServedAccount | undefined;
  readonly after: ServedAccount | undefined;
}

/** The responses about an account at one instant. */
export type ServedAccount = Pick<Served, 'account' | 'own' | 'bills'>;

/** An invariant about what the HTTP APIs return about an account. */
export interface ServedInvariant {
  /** In kebab-case. */
  readonly name: string;
  /** The property in one or two sentences. */
  readonly statement: string;
  objections(served: Served): Iterable<Objection>;
}

export interface Objection {
  /** Kind and identifier, for example `bill "BD-2026-17"`: never a name, an address or a meter point. */
  readonly entity: string;
  /** The problem, without values. */
  readonly what: string;
}

/** Returns the rates of a tariff at an instant. */
export function ratesAt({ rates }: Pick<Served, 'rates'>, tariff: string, at: string): readonly Rate[] {
  const instant = new Date(at).toISOString();
  const known = rates.get(tariff) ?? [];
  return known.filter(({ valid_from, valid_to }) => valid_from <= instant && instant < valid_to);
}

/** Returns an instant at which the rates of a line apply: at night for its register, else by day. */
export function instantOfLine({ from, register }: Pick<Line, 'from' | 'register'>): string {
  return `${from}T${register === 'NIGHT' ? '02' : '12'}:00:00Z`;
}

/** Whether the rates are those of a half-hourly product, whose lines have the mean of a day. */
export function isByHalfHour(rates: readonly Rate[] = []): boolean {
  const unit = rates.find(({ kind }) => kind === 'unit');
  return unit !== undefined && Date.parse(unit.valid_to) - Date.parse(unit.valid_from) <= 1_800_000;
}

/** The meter points of an account's homes, with their fuel. */
export function meterPointsOf({ account }: Pick<Served, 'account'>) {
  return account.properties.flatMap(({ id, moved_in_at, moved_out_at, ...points }) => {
    const home = { home: id, moved_in_at, moved_out_at };
    return [
      ...points.electricity_meter_points.map(({ mpan, agreements, is_export, profile_class }) => {
        const isSecondClass = profile_class === 2;
        return { ...home, number: mpan, agreements, isExport: is_export, isSecondClass };
      }),
      ...points.gas_meter_points.map(({ mprn, agreements }) => {
        return { ...home, number: mprn, agreements, isExport: false, isSecondClass: false };
      }),
    ];
  });
}

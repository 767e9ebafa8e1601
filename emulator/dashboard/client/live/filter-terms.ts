import type { CatalogueEvent } from 'busbar/catalogue';
import { maxFilterTextLength, type StreamFilter } from 'busbar/internal/websocket-protocol';
import { dateAndTime } from '../instants.js';

export interface Term {
  /** Label, e.g. `domain`. */
  readonly kind: string;
  readonly value: string;
  readonly added: (filter: StreamFilter) => StreamFilter;
  readonly removed: (filter: StreamFilter) => StreamFilter;
}

export function termsOf(filter: StreamFilter): Term[] {
  const { types = [], domains = [], account, cell, process, text, faults, from, to } = filter;
  return [
    ...domains.map(domainTerm),
    ...types.map(typeTerm),
    ...(account === undefined ? [] : [single('account', account)]),
    ...(cell === undefined ? [] : [single('cell', cell, 'customer')]),
    ...(process === undefined ? [] : [single('process', process)]),
    ...(text === undefined ? [] : [single('text', text, 'contains')]),
    ...(faults === undefined ? [] : [faultsTerm]),
    ...(from === undefined || to === undefined ? [] : [spanTerm(from, to)]),
  ];
}

/** Returns the terms that a typed text may mean, the likeliest first. */
export function suggestions(
  typed: string,
  events: readonly CatalogueEvent[],
  processes: readonly string[],
): Term[] {
  const searched = typed.trim().toLowerCase();
  if (searched === '') return [faultsTerm];
  const has = (name: string) => name.toLowerCase().includes(searched);
  const matching = (names: readonly string[]) => [...new Set(names)].filter(has);
  const nearest = (names: readonly string[]) =>
    matching(names).sort(
      (one, other) => one.toLowerCase().indexOf(searched) - other.toLowerCase().indexOf(searched),
    );
  const found: Term[] = [];
  if (/^a-[\da-f]{2,}$/.test(searched)) found.push(single('account', typed.trim().toUpperCase()));
  if (searched.includes('*')) found.push(typeTerm(typed.trim()));
  if ('faults only'.includes(searched)) found.push(faultsTerm);
  const domains = nearest(events.map(({ domain }) => domain));
  const types = nearest(events.map(({ type }) => type));
  found.push(...domains.slice(0, 4).map(domainTerm));
  found.push(
    ...matching(processes)
      .slice(0, 3)
      .map((name) => single('process', name)),
  );
  found.push(...types.slice(0, 8).map(typeTerm));
  if (/^\d+$/.test(searched)) found.push(single('cell', Number(searched), 'customer'));
  found.push(single('text', typed.trim().slice(0, maxFilterTextLength), 'contains'));
  return found.filter(({ value }) => value.length <= maxFilterTextLength);
}

const domainTerm = (value: string) => listed('domain', 'domains', value);
const typeTerm = (value: string) => listed('event', 'types', value);
const faultsTerm = single('faults', true, 'only', 'faults');

function spanTerm(from: number, to: number): Term {
  return {
    kind: 'time',
    value: `${dateAndTime(from).slice(0, 16)} to ${dateAndTime(to).slice(0, 16)}`,
    added: (filter) => ({ ...filter, from, to }),
    removed: ({ from: _, to: __, ...rest }) => rest,
  };
}

function listed(kind: string, member: 'domains' | 'types', value: string): Term {
  return {
    kind,
    value,
    added: (filter) => ({ ...filter, [member]: [...new Set([...(filter[member] ?? []), value])] }),
    removed: ({ [member]: values = [], ...rest }) => {
      const others = values.filter((each) => each !== value);
      return others.length === 0 ? rest : { ...rest, [member]: others };
    },
  };
}

function single(
  member: 'account' | 'cell' | 'process' | 'text' | 'faults',
  value: string | number | true,
  kind: string = member,
  label = String(value),
): Term {
  return {
    kind,
    value: label,
    added: (filter) => ({ ...filter, [member]: value }),
    removed: ({ [member]: _, ...rest }) => rest,
  };
}

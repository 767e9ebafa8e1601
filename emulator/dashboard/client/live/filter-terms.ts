import type { CatalogueEvent } from '../../../../catalogue/event-index.js';
import type { StreamFilter } from '../../../../src/transports/websocket-protocol.js';

/** One condition of the filter, as a chip shows it, or as it is suggested. */
export interface Term {
  /** What it is about: `domain`. */
  readonly kind: string;
  readonly value: string;
  /** The filter with it. */
  readonly added: (filter: StreamFilter) => StreamFilter;
  /** The filter without it. */
  readonly removed: (filter: StreamFilter) => StreamFilter;
}

/** The conditions that a filter has. */
export function termsOf(filter: StreamFilter): Term[] {
  const { types = [], domains = [], account, cell, process, text, faults } = filter;
  return [
    ...domains.map(domainTerm),
    ...types.map(typeTerm),
    ...(account === undefined ? [] : [single('account', account)]),
    ...(cell === undefined ? [] : [cellTerm(cell)]),
    ...(process === undefined ? [] : [single('process', process)]),
    ...(text === undefined ? [] : [single('text', text)]),
    ...(faults === undefined ? [] : [faultsTerm]),
  ];
}

/** What a text that was typed may mean, likeliest first. */
export function suggestions(
  typed: string,
  events: Iterable<CatalogueEvent>,
  processes: Iterable<string>,
): Term[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return [faultsTerm];
  const has = (name: string) => name.toLowerCase().includes(wanted);
  const domains = new Set<string>();
  const types = new Set<string>();
  for (const { domain, type } of events) {
    if (has(domain)) domains.add(domain);
    if (has(type)) types.add(type);
  }
  const nearest = (names: Iterable<string>) =>
    [...names].sort((one, other) => one.toLowerCase().indexOf(wanted) - other.toLowerCase().indexOf(wanted));
  const found: Term[] = [];
  if (/^a-[\da-f]{2,}$/.test(wanted)) found.push(single('account', typed.trim().toUpperCase()));
  if (wanted.includes('*')) found.push(typeTerm(typed.trim()));
  if ('faults only'.includes(wanted)) found.push(faultsTerm);
  found.push(...nearest(domains).slice(0, 4).map(domainTerm));
  found.push(
    ...[...new Set(processes)]
      .filter(has)
      .slice(0, 3)
      .map((name) => single('process', name)),
  );
  found.push(...nearest(types).slice(0, 8).map(typeTerm));
  if (/^\d+$/.test(wanted)) found.push(cellTerm(Number(wanted)));
  found.push(single('text', typed.trim().slice(0, 200)));
  return found;
}

const faultsTerm: Term = {
  kind: 'only',
  value: 'faults',
  added: (filter) => ({ ...filter, faults: true }),
  removed: ({ faults: _, ...rest }) => rest,
};

function domainTerm(value: string): Term {
  return listed('domain', 'domains', value);
}

function typeTerm(value: string): Term {
  return listed('event', 'types', value);
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

function single(member: 'account' | 'process' | 'text', value: string): Term {
  return {
    kind: member === 'text' ? 'contains' : member,
    value,
    added: (filter) => ({ ...filter, [member]: value }),
    removed: ({ [member]: _, ...rest }) => rest,
  };
}

function cellTerm(cell: number): Term {
  return {
    kind: 'customer',
    value: String(cell),
    added: (filter) => ({ ...filter, cell }),
    removed: ({ cell: _, ...rest }) => rest,
  };
}

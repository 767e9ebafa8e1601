import { matcherOf } from 'busbar/base';
import { domainOf } from 'busbar/internal/catalogue';
import type { RecordAbout, StreamFilter } from 'busbar/internal/websocket-protocol';

/** The parts of a record that filters read. */
export interface Filtered {
  readonly key: string;
  readonly value: Buffer;
  readonly about: RecordAbout;
}

export type Matcher = (record: Filtered) => boolean;

/** Returns a matcher for a filter; a record must match all its members. */
export function matcherFor(filter: StreamFilter): Matcher {
  const tests: Matcher[] = [];
  const { types, domains, account, cell, process, text, faults, from = 0, to = Infinity } = filter;
  // Cheap tests first.
  if (faults) tests.push(({ about }) => about.faults.length > 0);
  if (cell !== undefined) tests.push(({ about }) => about.cell === cell);
  if (from > 0 || to < Infinity) {
    tests.push(({ about: { at, sentAt = at } }) => sentAt >= from && sentAt < to);
  }
  if (process !== undefined) {
    const instances = `${process}#`;
    tests.push(({ about: { instance } }) => instance === process || instance.startsWith(instances));
  }
  if (domains !== undefined) {
    const wanted = new Set(domains);
    tests.push(({ about }) => wanted.has(domainOf(about.type)));
  }
  if (types !== undefined) {
    const matchers = types.map(matcherOf);
    tests.push(({ about: { type, version } }) =>
      matchers.some((matches) => matches(type) || matches(`${type}-${version}`)),
    );
  }
  if (account !== undefined) {
    const named = JSON.stringify(account);
    tests.push(({ key, value }) => key === account || value.includes(named));
  }
  if (text !== undefined) {
    const wanted = text.toLowerCase();
    tests.push(({ value }) => value.toString().toLowerCase().includes(wanted));
  }
  return (record) => tests.every((passes) => passes(record));
}

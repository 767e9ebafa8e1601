import { domainOf } from '../../../catalogue/event-index.js';
import { matcherOf } from '../../../src/registry.js';
import type { RecordAbout, StreamFilter } from '../../../src/transports/websocket-protocol.js';

/** What a filter looks at. */
export interface Filtered {
  readonly key: string;
  readonly value: Buffer;
  readonly about: RecordAbout;
}

export type Fits = (record: Filtered) => boolean;

/** A test for every member of the filter that is set; a record has to pass all of them. */
export function fitting(filter: StreamFilter): Fits {
  const tests: Fits[] = [];
  const { types, domains, account, cell, process, text, faults } = filter;
  // What is cheap comes first.
  if (faults) tests.push(({ about }) => about.faults.length > 0);
  if (cell !== undefined) tests.push(({ about }) => about.cell === cell);
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

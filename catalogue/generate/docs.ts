import type { Decision } from './marked.js';
import type { Outputs } from './outputs.js';

const banner = '<!-- Written by `npm run generate`; do not edit. -->\n';

/** Generates the page of the decisions about open points of the specification. */
export function generateDocs(decisions: readonly Decision[]): Outputs {
  return new Map([['docs/reference/not-specified.md', decisionsPage(decisions)]]);
}

function decisionsPage(decisions: readonly Decision[]): string {
  const rows = [...decisions]
    .sort((a, b) => (a.clause + a.source < b.clause + b.source ? -1 : 1))
    .map(
      ({ clause, decision, source }) =>
        `| ${clause} | ${decision.replaceAll('<', '&lt;')} | \`${source}\` |\n`,
    );
  return `${banner}
# Not specified

Where the specification says that something is not shown, we decide, and mark the place with \`x-busbar-decision\`.
This page lists every mark.

| left open | decided | marked in |
|---|---|---|
${rows.join('')}`;
}

import type { Catalogue } from '../../../../catalogue/index.js';
import { textTable } from '../../text-table.js';
import { problemKinds, type RecordCheck } from './record-check.js';
import type { RecognisedEnvelope } from './recognise.js';

/** Returns the report as JSON prints it. It has names and counts, and no values. */
export function reportOf(check: RecordCheck, envelope: RecognisedEnvelope | undefined, catalogue: Catalogue) {
  const { records, duplicates, disorder, undecodable } = check;
  const events = check.events.map((observed) => ({
    event: observed.name,
    isKnown: observed.event !== undefined,
    // The versions that the catalogue has instead of the one that was sent, and events that are written another way.
    ...(observed.event === undefined && {
      versions: versionsOf(observed.name, catalogue),
      alike: alikeIn(observed.name, catalogue),
    }),
    records: observed.records,
    invalid: observed.invalid,
    examined: observed.root.count,
    findings: observed.findings(),
    optional: observed.optional(),
    formats: observed.formats(),
    keys: observed.keys,
  }));
  const seen = events.filter(({ isKnown }) => isKnown).length;
  return {
    records,
    ...(envelope && { envelope: { name: envelope.title, setting: envelope.setting } }),
    problems: check.counts(),
    coverage: { seen, of: catalogue.events.length },
    undecodable: [...undecodable].map(([reason, { count, places }]) => ({ reason, count, places })),
    duplicates,
    disorder,
    events,
  };
}

/** Returns the versions of an event type that the catalogue has. The name may lack a version. */
function versionsOf(name: string, catalogue: Catalogue): readonly string[] {
  const type = catalogue.hasType(name) ? name : name.slice(0, Math.max(0, name.lastIndexOf('-')));
  return catalogue.hasType(type) ? catalogue.versionsOf(type) : [];
}

/** Returns the events of a type with the same letters: `account.created` for `com.acme.AccountCreated-1`. */
function alikeIn(name: string, catalogue: Catalogue): readonly string[] {
  const letters = lettersOf(name);
  return catalogue.events.filter(({ type }) => letters.endsWith(lettersOf(type))).map((event) => event.name);
}

function lettersOf(name: string): string {
  return name
    .replace(/[._/-]?v?\d+$/, '')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toLowerCase();
}

type Report = ReturnType<typeof reportOf>;

/** Returns the configuration that reads an envelope, as a file and as code. */
export function configurationOf({ title, setting, create, options }: RecognisedEnvelope): string {
  const value = typeof setting === 'string' ? `'${setting}'` : literal(setting);
  const given = options === undefined ? '' : literal(options);
  return [
    `The envelope is ${title}. In busbar.config.ts:\n`,
    "import { defineConfig } from 'busbar/config';\n",
    `export default defineConfig({ envelope: ${value} });\n`,
    'In code:\n',
    `import { ${['createConsumer', create].sort().join(', ')} } from 'busbar';\n`,
    `const consumer = createConsumer({ envelope: ${create}(${given}) });\n`,
  ].join('\n');
}

/** Returns the report as text. */
export function describeReport(report: Report): string {
  const { records, coverage, events, problems } = report;
  const found = Object.entries(problems).filter(([, count]) => count > 0);
  const unseen = events.flatMap(({ event, optional }) =>
    optional.filter(({ seen }) => seen === 0).map(({ pointer }) => [`  ${event}`, pointer]),
  );
  const mixed = events.flatMap(({ event, formats }) =>
    formats
      .filter((each) => Object.keys(each.formats).length > 1)
      .map((each) => [`  ${event}`, each.pointer, countsOf(each.formats)]),
  );
  const parts = [
    `${number(records)} ${records === 1 ? 'record' : 'records'}, ${coverage.seen} of ${coverage.of} events of the catalogue.`,
    section('Records by event, and those that are invalid', [
      ...events.map(({ event, isKnown, versions = [], alike = [], records: count, invalid }) => [
        `  ${event}`,
        number(count),
        isKnown ? number(invalid) : unknown(versions, alike),
      ]),
      ...report.undecodable.map(({ reason, count, places }) => [
        '  undecodable',
        number(count),
        reason,
        `${places.join(', ')}${count > places.length ? ', ...' : ''}`,
      ]),
    ]),
    section('Differences from the schemas, with their counts', [
      ...events.flatMap(({ event, findings }) =>
        findings.map(({ kind, pointer, count, what = '' }) => [
          `  ${event}`,
          kind,
          pointer === '' ? '(payload)' : pointer,
          number(count),
          what,
        ]),
      ),
    ]),
    section(
      'Keys that equal the identifier in the payload, and others',
      events
        .filter(({ keys }) => keys.equal + keys.different > 0)
        .map(({ event, keys }) => [`  ${event}`, number(keys.equal), number(keys.different)]),
    ),
    section('Texts of several formats', mixed),
    section('Optional fields that no examined record has', unseen),
    found.length === 0
      ? 'No problems.'
      : section(
          'Problems',
          found.map(([kind, count]) => [
            `  ${kind}`,
            number(count),
            problemKinds[kind as keyof Report['problems']],
          ]),
        ),
  ];
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}

function unknown(versions: readonly string[], alike: readonly string[]): string {
  if (versions.length > 0) return `unknown version; the catalogue has ${versions.join(', ')}`;
  return alike.length > 0 ? `unknown event; the catalogue has ${alike.join(', ')}` : 'unknown event';
}

function section(title: string, rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? '' : `${title}:\n${textTable(rows)}`;
}

function countsOf(formats: Readonly<Record<string, number>>): string {
  return Object.entries(formats)
    .map(([format, count]) => `${format} ${number(count)}`)
    .join(', ');
}

function number(count: number): string {
  return count.toLocaleString('en');
}

/** Returns an object of texts as code. */
function literal(object: object): string {
  const members = Object.entries(object).map(
    ([name, text]) => `${name}: '${String(text).replaceAll(/['\\]/g, '\\$&')}'`,
  );
  return `{ ${members.join(', ')} }`;
}

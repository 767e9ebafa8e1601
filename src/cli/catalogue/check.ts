import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from '../../../catalogue/catalogue.js';
import { BusbarError, quoted } from '../../base/errors.js';
import { choice, listOf, nonEmptyText, whole } from '../../base/options.js';
import { catalogueFlag, type Console, defineCommand, envelopeFlag, jsonFlag } from '../command.js';
import { undecodable } from '../../envelope/json.js';
import type { ConsumerRecord } from '../../transports/transport.js';
import { type ConnectionArguments, connectionFlags, connectionOptions } from '../connection-flags.js';
import type { Flag } from '../flags.js';
import { writeText } from '../write-text.js';
import { isProposable, proposedSchema } from './check/propose.js';
import { hasJson, nameOf, readRecords } from './check/read-records.js';
import { readTopic } from './check/read-topic.js';
import { type RecognisedEnvelope, recogniseEnvelope } from './check/recognise.js';
import { type PlaceOf, type ProblemKind, problemKinds, RecordCheck } from './check/record-check.js';
import { configurationOf, describeReport, reportOf } from './check/report.js';

interface CheckArguments extends Partial<ConnectionArguments> {
  readonly file?: string;
  readonly topic?: string;
  readonly max?: number;
  readonly envelope?: unknown;
  readonly propose?: string;
  readonly failOn?: readonly ProblemKind[];
  readonly json?: boolean;
}

/** Default of `--max`. */
const newest = 10_000;

const { isRequired: _, ...optional } = connectionFlags.brokers;
const brokers: Flag = { ...optional, text: 'Read a topic of these brokers, e.g. a:9092,b:9092' };
const kinds = Object.keys(problemKinds);

export const command = defineCommand<CheckArguments>({
  args: {
    file: { type: nonEmptyText, text: 'JSON, lines of JSON, or either in gzip; - for standard input' },
  },
  flags: {
    ...connectionFlags,
    brokers,
    topic: { type: nonEmptyText, value: '<name>', text: 'Topic to read, with --brokers', key: 'topics' },
    max: {
      type: whole({ from: 1 }),
      value: '<n>',
      text: 'Newest records of the topic to read',
      default: newest,
    },
    catalogue: catalogueFlag,
    envelope: envelopeFlag,
    propose: { type: nonEmptyText, value: '<folder>', text: 'Write schemas that accept the records' },
    failOn: {
      type: listOf(choice(...kinds)),
      value: '<kinds>',
      text: 'Exit with 1 for these problems, e.g. missing,retyped',
      read: (text) => text.split(','),
      complete: () => kinds,
    },
    json: jsonFlag,
  },
  examples: ['catalogue check record.json', 'catalogue check traffic.ndjson.gz --propose ./events'],
  run: checkRecords,
});

/** Records from which the envelope is recognised. */
const firstRecords = 100;

/** `busbar catalogue check`: recognises the envelope, and compares records with the catalogue. Prints no values. */
async function checkRecords(args: CheckArguments, console: Console): Promise<void> {
  const { propose, failOn = [], json = false } = args;
  const { name, read, placeOf } = sourceOf(args, console);
  const catalogue = await console.catalogue();
  const first: ConsumerRecord[] = [];
  let recognised: RecognisedEnvelope | undefined;
  let check: RecordCheck | undefined;

  const begin = async (): Promise<RecordCheck> => {
    if (first.length === 0) throw undecodable(`${name} has no records. Name one with a record.`);
    const envelope = await console.envelope();
    if (envelope !== undefined) return new RecordCheck(catalogue, envelope, placeOf);
    const readable = first.filter(hasJson).slice(0, firstRecords);
    if (readable.length === 0) {
      const advice = 'Write one in each line, or name a module with a codec for them: --envelope ./codec.js';
      throw undecodable(`${name} has no records in JSON. ${advice}`);
    }
    recognised = await recogniseEnvelope(readable, catalogue);
    if (recognised === undefined) {
      const problem = `${name} has no envelope that Busbar recognises`;
      throw undecodable(`${problem}. Name the envelope with --envelope.`);
    }
    return new RecordCheck(catalogue, recognised.codec, placeOf);
  };
  const add = async (into: RecordCheck, records: readonly ConsumerRecord[]): Promise<void> => {
    for (const each of records) {
      const pending = into.add(each);
      if (pending !== undefined) await pending;
    }
  };
  const hideProgress = console.progress(
    () => `${(check?.records ?? 0).toLocaleString('en')} records checked`,
  );
  try {
    await read(async (records) => {
      if (check !== undefined) {
        await add(check, records);
        return;
      }
      for (const each of records) first.push(each);
      if (first.length < firstRecords) return;
      check = await begin();
      await add(check, first.splice(0));
    });
    if (check === undefined) {
      check = await begin();
      await add(check, first);
    }
  } finally {
    hideProgress();
  }
  const report = reportOf(check, recognised, catalogue);
  const written = propose === undefined ? [] : writeProposals(propose, check, catalogue);
  if (json) {
    console.write(`${JSON.stringify({ ...report, ...(propose !== undefined && { written }) }, null, 2)}\n`);
  } else {
    if (recognised !== undefined) console.write(`${configurationOf(recognised)}\n`);
    console.write(describeReport(report));
    for (const path of written) console.write(`Written: ${path}\n`);
    const nameless = check.events.filter(
      ({ event, name: each }) => event === undefined && !isProposable(each),
    );
    if (propose !== undefined && nameless.length > 0) {
      const names = nameless.map((each) => each.name).join(', ');
      const advice = 'Read type and version with a codec: --envelope ./codec.js';
      console.write(`Not written: ${names}. These names lack a version, or may be values. ${advice}\n`);
    }
  }
  if (failOn.some((kind) => report.problems[kind] > 0)) process.exitCode = 1;
}

interface Source {
  /** Name in messages. */
  readonly name: string;
  readonly read: (take: (records: readonly ConsumerRecord[]) => Promise<void>) => Promise<void>;
  readonly placeOf: PlaceOf;
}

function sourceOf(
  { file, brokers, topic, max = newest, ...connection }: CheckArguments,
  { isTyped }: Pick<Console, 'isTyped'>,
): Source {
  // Brokers and topic of a configuration file are those of other commands.
  if (file !== undefined && !isTyped('brokers') && !isTyped('topic')) {
    if (isTyped('max')) {
      throw new BusbarError('invalid-option', '"--max" needs a --topic. A file is read to its end.');
    }
    const read: Source['read'] = async (take) => {
      for await (const records of readRecords(file)) await take(records);
    };
    const placeOf: PlaceOf = ({ offset }, number) => (offset === 0 ? `record ${number}` : `line ${offset}`);
    return { name: nameOf(file), read, placeOf };
  }
  if (file === undefined && brokers !== undefined && topic !== undefined) {
    const options = connectionOptions({ brokers, ...connection });
    return {
      name: `Topic ${quoted(topic)}`,
      read: (take) => readTopic(options, topic, max, take),
      placeOf: ({ partition, offset }) => `partition ${partition} offset ${offset}`,
    };
  }
  throw new BusbarError('invalid-option', 'Name either a file, or a topic with --brokers and --topic.');
}

/** Writes the proposed schemas, one file each. Replaces no file. @throws BusbarError `file-failed` */
function writeProposals(folder: string, check: RecordCheck, catalogue: Catalogue): string[] {
  const files = check.events.flatMap((observed) => {
    const schema = proposedSchema(observed, catalogue);
    return schema === undefined ? [] : [{ path: join(folder, `${observed.name}.json`), schema }];
  });
  const present = files.find(({ path }) => existsSync(path));
  // If one exists, no other is written.
  for (const { path, schema } of present === undefined ? files : [present])
    writeText(path, `${JSON.stringify(schema, null, 2)}\n`, 'Name another folder with --propose.', true);
  return files.map(({ path }) => path);
}

import { BusbarError, quoted } from '../../base/errors.js';
import type { OffsetRange } from '../../transports/kafka/client.js';
import { boolean, nonEmptyText, whole } from '../../base/options.js';
import { type Console, defineCommand, jsonFlag } from '../command.js';
import { type ConnectionArguments, connectionFlags, connectionOptions } from '../connection-flags.js';
import { withConnection } from '../connect.js';
import { parseTime } from '../parse-time.js';
import { textTable } from '../text-table.js';

interface ResetArguments extends ConnectionArguments {
  readonly group: string;
  readonly topic: string;
  /** `earliest`, `latest`, a time or an offset. */
  readonly to: string;
  readonly partition?: number;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export const command = defineCommand({
  flags: {
    ...connectionFlags,
    group: { type: nonEmptyText, isRequired: true, value: '<name>', text: 'Consumer group without members' },
    topic: { type: nonEmptyText, isRequired: true, value: '<name>', text: 'Consumed topic', key: 'topics' },
    to: {
      type: nonEmptyText,
      isRequired: true,
      value: '<offset>',
      text: 'earliest, latest, an offset or a time with its zone',
      complete: () => ['earliest', 'latest'],
    },
    partition: { type: whole({ from: 0 }), value: '<n>', text: 'Partition to move, instead of all' },
    dryRun: { type: boolean, text: 'Print the changes without making them' },
    json: jsonFlag,
  },
  examples: ['offsets reset --brokers localhost:9092 --group bills --topic platform.events --to earliest'],
  run: resetOffsets,
});

/** `busbar offsets reset`: moves a group without members to other offsets. Prints the changes. */
async function resetOffsets(args: ResetArguments, console: Console): Promise<void> {
  const { group, topic, partition, dryRun = false, json } = args;
  const target = parseTarget(args.to);
  await withConnection(connectionOptions(args), async (positions) => {
    const members = await positions.members(group);
    if (members.length > 0) throw active(group, members);
    const all = await positions.ranges(topic);
    const ranges = partition === undefined ? all : all.filter((range) => range.partition === partition);
    if (ranges.length === 0) {
      const message = `Topic ${quoted(topic)} has no partition ${partition}. Choose one from 0 to ${all.length - 1}.`;
      throw new BusbarError('invalid-option', message);
    }
    const offsets =
      typeof target === 'object' && 'time' in target ? await positions.at(topic, target.time) : [];
    const timed = new Map(offsets.map((each) => [each.partition, each.offset]));
    const targets = ranges.map((range) => ({
      topic,
      partition: range.partition,
      offset: offsetIn(range, target, timed),
    }));
    const committed = await positions.committed(group, topic);
    const isNew = !(await positions.isKnown(group));
    const changes = targets.map((each) => ({
      partition: each.partition,
      from: committed.get(each.partition) ?? null,
      to: each.offset,
    }));
    if (!dryRun) await positions.write(group, targets);
    if (isNew) console.logger.warn('the group has no members and no offsets yet: check its name', { group });
    if (json) {
      console.write(`${JSON.stringify({ group, topic, dryRun, changes }, null, 2)}\n`);
      return;
    }
    const rows = changes.map((change) => Object.values(change).map((offset) => String(offset ?? '-')));
    console.write(textTable([['PARTITION', 'FROM', 'TO'], ...rows]));
    const did = dryRun ? 'Would reset' : 'Reset';
    console.write(`${did} group ${quoted(group)} on topic ${quoted(topic)}.\n`);
  });
}

type Target = 'earliest' | 'latest' | { readonly time: number } | { readonly offset: number };

function parseTarget(to: string): Target {
  if (to === 'earliest' || to === 'latest') return to;
  if (/^\d{1,16}$/.test(to)) return { offset: Number(to) };
  return { time: parseTime('to', to, 'earliest, latest, an offset or ') };
}

function offsetIn(
  { topic, partition, first, end }: OffsetRange,
  target: Target,
  timed: ReadonlyMap<number, number>,
): number {
  if (target === 'earliest') return first;
  if (target === 'latest') return end;
  if ('time' in target) return timed.get(partition) ?? end;
  if (target.offset >= first && target.offset <= end) return target.offset;
  throw new BusbarError(
    'invalid-option',
    `Partition ${partition} of topic ${quoted(topic)} has offsets from ${first} to ${end}, not ${target.offset}.`,
  );
}

function active(group: string, members: readonly string[]): BusbarError {
  return new BusbarError(
    'group-active',
    `Group ${quoted(group)} has ${members.length === 1 ? 'a member' : `${members.length} members`}: ${members.slice(0, 10).join(', ')}. Stop all of its consumers first.`,
  );
}

import type { Health } from '../running/health.js';

/** A gauge that is computed from the consumer's health at each scrape. */
interface GaugeDefinition {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly read: (health: Health) => readonly Sample[];
}

interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

const perPartition = ['topic', 'partition'];

export const gauges: readonly GaugeDefinition[] = [
  ofConsumer(
    'busbar_healthy',
    'Whether the consumer makes progress (1) or not (0), like /healthz.',
    ({ status }) => status === 'ok',
  ),
  ofConsumer(
    'busbar_ready',
    'Whether the consumer takes records (1) or not (0), like /readyz.',
    ({ unready }) => unready.length === 0,
  ),
  {
    name: 'busbar_lag_records',
    help: 'Records after the committed offset, at the last fetch.',
    labels: perPartition,
    read: ({ source }) =>
      (source?.partitions ?? []).flatMap(({ topic, partition, committed, highWatermark }) =>
        highWatermark === undefined
          ? []
          : [{ labels: { topic, partition }, value: Math.max(0, highWatermark - committed) }],
      ),
  },
  ofPartitions(
    'busbar_oldest_unsettled_seconds',
    'Age of the oldest unsettled record; 0 without one.',
    ({ oldest }) => (oldest?.age ?? 0) / 1000,
  ),
  ofPartitions(
    'busbar_unsettled_records',
    'Records that were taken and are not settled.',
    ({ unsettled }) => unsettled,
  ),
  ofPartitions(
    'busbar_window_used_ratio',
    'Used part of the window, by records, bytes or share of the memory; at 1 the partition takes no more.',
    ({ window }) => window.used,
  ),
  ofPartitions(
    'busbar_partition_blocked',
    'Whether the window is full and its oldest record unsettled for a minute (1).',
    ({ isBlocked }) => isBlocked,
  ),
  ofPartitions(
    'busbar_partition_stopped',
    'Whether the partition is stopped because a record could not be dead-lettered (1).',
    ({ isStopped }) => isStopped,
  ),
  ofConsumer('busbar_running_handlers', 'Running attempts.', ({ running }) => running),
  ofConsumer(
    'busbar_hung_handlers',
    'Handlers that exceeded their deadline and ignore their signal; each blocks its lane.',
    ({ hung }) => hung.length,
  ),
  ofConsumer('busbar_backing_off_lanes', 'Lanes that wait for a retry.', ({ backingOff }) => backingOff),
  ofConsumer(
    'busbar_dead_letters_failing',
    'Whether dead letters cannot be written now (1).',
    ({ source }) => source?.deadLettersFailing !== undefined,
  ),
];

function ofConsumer(
  name: string,
  help: string,
  value: (health: Health) => number | boolean,
): GaugeDefinition {
  return { name, help, labels: [], read: (health) => [{ labels: {}, value: Number(value(health)) }] };
}

function ofPartitions(
  name: string,
  help: string,
  value: (partition: Health['partitions'][number]) => number | boolean,
): GaugeDefinition {
  const read: GaugeDefinition['read'] = ({ partitions }) =>
    partitions.map((each) => ({
      labels: { topic: each.topic, partition: each.partition },
      value: Number(value(each)),
    }));
  return { name, help, labels: perPartition, read };
}

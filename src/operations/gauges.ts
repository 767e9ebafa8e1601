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
  {
    name: 'busbar_healthy',
    help: 'Whether the consumer makes progress (1) or not (0), like /healthz.',
    labels: [],
    read: ({ status }) => unlabelled(status === 'ok'),
  },
  {
    name: 'busbar_ready',
    help: 'Whether the consumer takes records (1) or not (0), like /readyz.',
    labels: [],
    read: ({ unready }) => unlabelled(unready.length === 0),
  },
  {
    name: 'busbar_lag_records',
    help: 'Records after the committed offset, since the last fetch with records.',
    labels: perPartition,
    read: ({ source }) =>
      (source?.partitions ?? []).flatMap(({ topic, partition, committed, highWatermark }) =>
        highWatermark === undefined
          ? []
          : [{ labels: { topic, partition }, value: Math.max(0, highWatermark - committed) }],
      ),
  },
  {
    name: 'busbar_oldest_unsettled_seconds',
    help: 'Age of the oldest unsettled record; 0 without one.',
    labels: perPartition,
    read: ofPartitions(({ oldest }) => (oldest?.age ?? 0) / 1000),
  },
  {
    name: 'busbar_unsettled_records',
    help: 'Records that were taken and are not settled.',
    labels: perPartition,
    read: ofPartitions(({ unsettled }) => unsettled),
  },
  {
    name: 'busbar_window_used_ratio',
    help: 'Used part of the window, by records, bytes or share of the memory; at 1 the partition takes no more.',
    labels: perPartition,
    read: ofPartitions(({ window }) => window.used),
  },
  {
    name: 'busbar_partition_blocked',
    help: 'Whether the window is full and its oldest record unsettled for a minute (1).',
    labels: perPartition,
    read: ofPartitions(({ isBlocked }) => Number(isBlocked)),
  },
  {
    name: 'busbar_partition_stopped',
    help: 'Whether the partition is stopped because a record could not be dead-lettered (1).',
    labels: perPartition,
    read: ofPartitions(({ isStopped }) => Number(isStopped)),
  },
  {
    name: 'busbar_running_handlers',
    help: 'Running attempts.',
    labels: [],
    read: ({ running }) => unlabelled(running),
  },
  {
    name: 'busbar_hung_handlers',
    help: 'Handlers that exceeded their deadline and ignore their signal; each blocks its lane.',
    labels: [],
    read: ({ hung }) => unlabelled(hung.length),
  },
  {
    name: 'busbar_backing_off_lanes',
    help: 'Lanes that wait for a retry.',
    labels: [],
    read: ({ backingOff }) => unlabelled(backingOff),
  },
  {
    name: 'busbar_dead_letters_failing',
    help: 'Whether dead letters cannot be written now (1).',
    labels: [],
    read: ({ source }) => unlabelled(source?.deadLettersFailing !== undefined),
  },
];

function unlabelled(value: number | boolean): readonly Sample[] {
  return [{ labels: {}, value: Number(value) }];
}

function ofPartitions(value: (partition: Health['partitions'][number]) => number): GaugeDefinition['read'] {
  return ({ partitions }) =>
    partitions.map((each) => ({
      labels: { topic: each.topic, partition: each.partition },
      value: value(each),
    }));
}

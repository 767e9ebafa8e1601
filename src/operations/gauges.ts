import type { Health } from '../running/health.js';

/** What is read off a consumer's health when somebody asks. */
export interface GaugeDefinition {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly read: (health: Health) => readonly Sample[];
}

export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

const perPartition = ['topic', 'partition'];

export const gauges: readonly GaugeDefinition[] = [
  {
    name: 'busbar_healthy',
    help: 'Whether the consumer gets on with its work (1) or not (0), as /healthz tells.',
    labels: [],
    read: ({ status }) => alone(status === 'ok'),
  },
  {
    name: 'busbar_ready',
    help: 'Whether the consumer takes records (1) or not (0), as /readyz tells.',
    labels: [],
    read: ({ unready }) => alone(unready.length === 0),
  },
  {
    name: 'busbar_lag_records',
    help: 'Records after the committed position, as of the last fetch that brought some.',
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
    help: 'Age of the oldest record that was taken and is not settled; 0 when all are.',
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
    help: 'How much of its window a partition uses, by records, bytes or share of the memory; at 1 it takes no more.',
    labels: perPartition,
    read: ofPartitions(({ window }) => window.used),
  },
  {
    name: 'busbar_partition_blocked',
    help: 'Whether the window is full and its oldest record older than a minute (1).',
    labels: perPartition,
    read: ofPartitions(({ isBlocked }) => Number(isBlocked)),
  },
  {
    name: 'busbar_partition_stopped',
    help: 'Whether the partition takes no more because a record could not be set aside (1).',
    labels: perPartition,
    read: ofPartitions(({ isStopped }) => Number(isStopped)),
  },
  {
    name: 'busbar_running_handlers',
    help: 'Attempts that are under way.',
    labels: [],
    read: ({ running }) => alone(running),
  },
  {
    name: 'busbar_hung_handlers',
    help: 'Handlers beyond their deadline that ignore their signal; each holds its lane.',
    labels: [],
    read: ({ hung }) => alone(hung.length),
  },
  {
    name: 'busbar_backing_off_lanes',
    help: 'Lanes between two attempts.',
    labels: [],
    read: ({ backingOff }) => alone(backingOff),
  },
  {
    name: 'busbar_dead_letters_failing',
    help: 'Whether dead letters cannot be written at present (1).',
    labels: [],
    read: ({ source }) => alone(source?.deadLettersFailing !== undefined),
  },
];

function alone(value: number | boolean): readonly Sample[] {
  return [{ labels: {}, value: Number(value) }];
}

function ofPartitions(value: (partition: Health['partitions'][number]) => number): GaugeDefinition['read'] {
  return ({ partitions }) =>
    partitions.map((each) => ({
      labels: { topic: each.topic, partition: each.partition },
      value: value(each),
    }));
}

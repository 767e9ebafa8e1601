export interface Difference {
  /** Name in docs/reference/kafka-support.md, in bold there. */
  readonly title: string;
  /** The steps that show it. */
  readonly steps: RegExp;
}

/** The steps that may be answered otherwise than by Apache Kafka; docs/reference/kafka-support.md gives the reasons. */
export const differences: readonly Difference[] = [
  { title: 'Auto-created topics', steps: /^an unknown topic, to be created/ },
  { title: 'No fetch sessions', steps: /^a session$/ },
  { title: 'Records are not opened', steps: /^produce to a compacted topic without key/ },
  {
    title: 'Defaults in DescribeConfigs version 0',
    steps: /^describe a configuration \(DescribeConfigs v0\)/,
  },
  {
    title: 'Requests that make Kafka fail',
    steps:
      /^(by no name and no id|change by an unknown operation|produce nothing|produce an unknown codec|offsets of no groups|delete by name and by id) /,
  },
  {
    title: 'Kafka 3.9 where 4.x differs',
    steps:
      /^(produce to a topic from far ahead|offset of a partition twice|commit as a member of an unknown group|offsets of no partitions|join by the protocol of KIP-848|describe a group that rebalances|heartbeat after a pending member left|describe a group with its operations) /,
  },
];

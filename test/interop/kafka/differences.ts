export interface Difference {
  /** How docs/kafka-support.md calls it, in bold. */
  readonly title: string;
  /** The steps that show it. */
  readonly steps: RegExp;
}

/** The steps that may be answered otherwise than by Apache Kafka; docs/kafka-support.md gives the reasons. */
export const differences: readonly Difference[] = [];

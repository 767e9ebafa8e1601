/** Positions of instants on the axis of a journey, in percent from left to right. */
export interface TimeAxis {
  /** Returns the position of an instant between the first and the last one. */
  readonly percent: (at: number) => number;
  /** Pauses of at least a day, in order. */
  readonly pauses: readonly Pause[];
}

/** A pause between two neighbouring instants. */
export interface Pause {
  readonly from: number;
  readonly to: number;
}

const second = 1_000;
const day = 86_400_000;

/**
 * Returns an axis that compresses pauses: the width of a pause grows with the logarithm of its length. So a second and a
 * month both stay visible.
 * @param instants Ascending instants, in milliseconds; at least one.
 */
export function timeAxis(instants: readonly number[]): TimeAxis {
  const distinct = [...new Set(instants)];
  const gaps = distinct.slice(1).map((to, index): Pause => ({ from: distinct[index] ?? to, to }));
  const total = gaps.reduce((sum, { from, to }) => sum + width(to - from), 0);
  return {
    percent: (at) => {
      let left = 0;
      for (const { from, to } of gaps) {
        if (at < to)
          return (100 * (left + (width(to - from) * Math.max(at - from, 0)) / (to - from))) / total;
        left += width(to - from);
      }
      return gaps.length === 0 ? 0 : 100;
    },
    pauses: gaps.filter(({ from, to }) => to - from >= day),
  };
}

function width(milliseconds: number): number {
  return Math.log2(1 + milliseconds / second);
}

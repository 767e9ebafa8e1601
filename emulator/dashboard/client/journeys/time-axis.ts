/** Positions of instants on the axis of a journey, in percent from left to right. */
export interface TimeAxis {
  /** Position of each instant; those of equal instants differ. */
  readonly positions: readonly number[];
  /** Returns the position of an instant between the first and the last one. */
  readonly percent: (at: number) => number;
  /** Pauses of at least a day, in order. */
  readonly pauses: readonly Pause[];
  /** Width in units. One unit separates neighbours. */
  readonly units: number;
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
 * month both stay visible, and neighbours never cover each other.
 * @param instants Ascending instants, in milliseconds; at least one.
 */
export function timeAxis(instants: readonly number[]): TimeAxis {
  const gaps = instants.slice(1).map((to, index): Pause => ({ from: instants[index] ?? to, to }));
  const units = gaps.reduce((sum, { from, to }) => sum + width(to - from), 0);
  const share = (left: number) => (units === 0 ? 0 : (100 * left) / units);
  const positions = [0];
  for (const { from, to } of gaps) positions.push((positions.at(-1) ?? 0) + width(to - from));
  return {
    positions: positions.map(share),
    percent: (at) => {
      const index = gaps.findIndex(({ to }) => at < to);
      const gap = gaps[index];
      if (gap === undefined) return share(units);
      const { from, to } = gap;
      const into = Math.max(at - from, 0) / (to - from);
      return share((positions[index] ?? 0) + width(to - from) * into);
    },
    pauses: gaps.filter(({ from, to }) => to - from >= day),
    units,
  };
}

/** Returns the width of a gap in units. */
function width(milliseconds: number): number {
  return 1 + Math.log2(1 + milliseconds / second) / 4;
}

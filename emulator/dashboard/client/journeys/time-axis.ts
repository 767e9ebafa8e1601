/** A pause between two neighbouring instants. */
interface Pause {
  readonly from: number;
  readonly to: number;
}

const second = 1_000;
const day = 86_400_000;

/**
 * Returns an axis that compresses pauses: the width of a pause grows with the logarithm of its length. So a second and a
 * month both stay visible, and neighbours never cover each other. Positions are percents from left to right.
 * @param instants Ascending instants, in milliseconds; at least one.
 */
export function timeAxis(instants: readonly number[]) {
  const gaps = instants.slice(1).map((to, index): Pause => ({ from: instants[index] ?? to, to }));
  const units = gaps.reduce((sum, { from, to }) => sum + width(to - from), 0);
  const share = (left: number) => (units === 0 ? 0 : (100 * left) / units);
  const positions = [0];
  for (const { from, to } of gaps) positions.push((positions.at(-1) ?? 0) + width(to - from));
  return {
    /** Position of each instant; those of equal instants differ. */
    positions: positions.map(share),
    /** Returns the position of an instant between the first and the last one. */
    percent: (at: number) => {
      const index = gaps.findIndex(({ to }) => at < to);
      const gap = gaps[index];
      if (gap === undefined) return share(units);
      const { from, to } = gap;
      const into = Math.max(at - from, 0) / (to - from);
      return share((positions[index] ?? 0) + width(to - from) * into);
    },
    /** Pauses of at least a day, in order. */
    pauses: gaps.filter(({ from, to }) => to - from >= day),
    /** Width in units. One unit separates neighbours. */
    units,
  };
}

/** Returns the width of a gap in units. */
function width(milliseconds: number): number {
  return 1 + Math.log2(1 + milliseconds / second) / 4;
}

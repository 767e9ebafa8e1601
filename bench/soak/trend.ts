import { median } from '../measure.js';

/** A figure at a time, in seconds. */
export interface Point {
  readonly at: number;
  readonly value: number;
}

/** The course of a figure after its first third, in which caches fill. */
interface Trend {
  /** Median of the last third. */
  readonly level: number;
  /** The level relative to the median of the second third. */
  readonly ofSecondThird: number;
  /** Median of the slopes between all pairs of points (Theil and Sen), in hours. One outlier does not change it. */
  readonly perHour: number;
}

export function trendOf(points: readonly Point[]): Trend {
  const third = Math.floor(points.length / 3);
  const [second, last] = [points.slice(third, -third), points.slice(-third)];
  const [before, level] = [second, last].map((some) => median(some.map(({ value }) => value)));
  const later = points.slice(third);
  const slopes = later.flatMap((one, index) =>
    later.slice(index + 1).map((other) => (other.value - one.value) / (other.at - one.at)),
  );
  return {
    level: level ?? Number.NaN,
    ofSecondThird: level === before ? 1 : (level ?? Number.NaN) / (before ?? Number.NaN),
    perHour: median(slopes) * 3_600,
  };
}

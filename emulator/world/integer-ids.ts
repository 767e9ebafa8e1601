import { memoized } from 'busbar/base';
import { london } from '../engine/calendar.js';
import { type Permutation, permutation, scramble } from '../engine/permutation.js';
import { hash32 } from '../engine/random.js';
import { type Day, day, dayOf, type Instant, minute, second, yearOf } from '../engine/time.js';

/** Options of a world that decide its whole-number ids, with its seed. */
export interface WorldSize {
  readonly seed: number;
  /** Start of the run. */
  readonly start: Instant;
  /** Number of planned cells, without the platform's. */
  readonly cells: number;
  /** Number of cells that inputs may add. Default {@link defaultRoom}. */
  readonly room?: number | undefined;
}

export const defaultRoom = 1_000;

/**
 * Whole-number ids, as a database would give them: they rise with virtual time, and the gaps are irregular. Each is a
 * function of kind, cell and label. A label says when the row was made; see {@link IntegerIds.labelAt}.
 *
 * An id is `base + label * width + rest`. The base depends on the kind. The rest is below the width: the cell, permuted and
 * combined with a hash of the label. So the label and the cell of an id can be computed, and a later label gives a larger
 * id, whichever cells the two belong to.
 */
export interface IntegerIds {
  /** Returns the id of a row. A cell uses a label once for each kind. */
  integer(kind: string, cell: number, label: number): number;
  /** Returns the cell that owns the id, or undefined for a number that is not an id of that kind. */
  ownerOf(kind: string, id: number): number | undefined;
  /** Cells have numbers below this: the smallest power of two with room for all. */
  readonly width: number;
  /** Start of the run, and its day. */
  readonly start: Instant;
  readonly today: Day;
  /** Label of the start. Labels before it are even for what is computed, and odd for what is played. */
  readonly firstLabel: number;
  /** Returns the label of a row that is made at an instant. It counts ticks, and days before the run. */
  labelAt(at: Instant): number;
  /** Returns the label of a row that was made on a day. */
  labelOn(date: Day): number;
}

export function integerIds({ seed, start, cells, room = defaultRoom }: WorldSize): IntegerIds {
  let width = 1;
  while (width < Math.min(cells + 1 + room, maxWidth)) width *= 2;
  const today = london.dayAt(start);
  // The platform has existed for ten years.
  const epoch = dayOf(yearOf(today) - 10, 1, 1);
  const firstLabel = 2 * (today - epoch) + 2 * maxAhead;
  const tick = ticks.find((each) => maxBase + (firstLabel + year / each) * width < 2 ** 31) ?? fallbackTick;
  const kindOf = memoized(
    (name: string): Kind => ({
      base: minBase + (hash32(seed, 'ids from', name) % (maxBase - minBase)),
      cells: permutation(width, seed, `integer ${name}`),
      key: hash32(seed, 'ids of', name),
      cell: -1,
      permuted: -1,
    }),
  );
  const mask = width - 1;
  const labelAt = (at: Instant) =>
    at < start ? 2 * (london.dayAt(at) - epoch) + 1 : firstLabel + Math.floor((at - start) / tick);

  return {
    integer(name, cell, label) {
      const kind = kindOf(name);
      if (kind.cell !== cell) {
        kind.permuted = kind.cells.apply(cell);
        kind.cell = cell;
      }
      return kind.base + label * width + (kind.permuted ^ (scramble(label, kind.key) & mask));
    },
    ownerOf(name, id) {
      const { base, cells: permuted, key } = kindOf(name);
      const label = Math.floor((id - base) / width);
      if (!(label >= 0) || !Number.isSafeInteger(id)) return undefined;
      return permuted.invert((id - base - label * width) ^ (scramble(label, key) & mask));
    },
    width,
    start,
    today,
    firstLabel,
    labelAt,
    labelOn: (date) => (date < today ? 2 * Math.max(0, date - epoch) : labelAt(Math.max(start, date * day))),
  };
}

interface Kind {
  readonly base: number;
  readonly cells: Permutation;
  readonly key: number;
  /** The cell of the last id, permuted: a cell often makes several ids in a row. */
  cell: number;
  permuted: number;
}

/** Number of rows of a kind that a cell may have made on one day before the run, or about as many days before its start. */
const maxAhead = 64;

const [minBase, maxBase] = [1_000_000, 10_000_000];
const maxWidth = 2 ** 22;
const year = 365 * day;

/**
 * Possible ticks. A world has the smallest with which its ids stay below 2^31 for a year, so that they fit the 32-bit
 * columns and fields in which consumers keep them.
 */
const ticks = [10 * second, 30 * second, minute, 5 * minute, 15 * minute];
/** Tick of a world that is too large for any of them. */
const fallbackTick = minute;

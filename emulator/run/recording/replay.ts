import type { Logger } from '../../../src/base/logger.js';
import { matcherOf } from '../../../src/registry.js';
import type { Instant } from '../../engine/time.js';
import type { Emission } from '../emission.js';
import type { Source } from '../source.js';
import { isInputLine, readEmission } from './format.js';
import { brokenLine, type Recording } from './open-recording.js';

/** Which events of a recording are sent, and what becomes of lines that cannot be. */
export interface ReplayOptions {
  /** Virtual instants of sending: the first that is sent, and the first that is not any more. */
  readonly from?: Instant;
  readonly until?: Instant;
  /** Event types, `*` stands for any text: `billing.*`. Default all. */
  readonly only?: readonly string[];
  /** Account numbers that the event's key or payload names, one of them. Default all. */
  readonly account?: readonly string[];
  /** Go on after a line that is broken, and say so. Default false. */
  readonly skipBroken?: boolean;
}

/** Broken lines that are named one by one. */
const mostWarnings = 10;

/**
 * Sends what was recorded, byte for byte.
 * @throws BusbarError `invalid-recording` naming the number of a broken line.
 */
export function replaying(recording: Recording, options: ReplayOptions, logger: Logger): Source {
  const isWanted = selection(options);
  const faults = new Map<string, number>();
  const { path, lines } = recording;
  let skipped = 0;

  function read(bytes: Buffer, number: number): Emission | undefined {
    try {
      return readEmission(bytes.toString());
    } catch (error) {
      const broken = brokenLine(path, number, error as Error, 'Leave such lines out with --skip-broken.');
      if (options.skipBroken !== true) throw broken;
      if (++skipped <= mostWarnings) logger.warn(`Line ${number} is broken, and left out.`, { file: path });
      return undefined;
    }
  }

  return {
    faults,
    branches: new Map(),
    async next() {
      for (;;) {
        const { done, value: line } = await lines.next();
        if (done === true) return undefined;
        if (isInputLine(line.bytes)) continue;
        const emission = read(line.bytes, line.number);
        if (emission === undefined || !isWanted(emission)) continue;
        // A duplicate bears the faults of its original, where they have been counted.
        const own = emission.faults.includes('duplicate') ? ['duplicate'] : emission.faults;
        for (const fault of own) faults.set(fault, (faults.get(fault) ?? 0) + 1);
        return { at: emission.sentAt ?? emission.at, emissions: [emission] };
      }
    },
    async close() {
      if (skipped > mostWarnings) {
        logger.warn(`${skipped} lines were broken, and left out.`, { file: path });
      }
      await lines.return();
    },
  };
}

function selection({ from = -Infinity, until = Infinity, only, account }: ReplayOptions) {
  const wanted = only?.map(matcherOf);
  const named = account?.map((number) => ({ number, text: JSON.stringify(number) }));
  return ({ at, sentAt = at, envelope, key, bytes }: Emission): boolean =>
    sentAt >= from &&
    sentAt < until &&
    (wanted === undefined || wanted.some((matches) => matches(envelope.event_type))) &&
    (named === undefined || named.some(({ number, text }) => key === number || bytes.includes(text)));
}

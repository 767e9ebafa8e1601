import { BusbarError, didYouMean, type Logger, matcherOf, quoted } from 'busbar/base';
import type { Catalogue } from 'busbar/catalogue';
import type { Instant } from '../../engine/time.js';
import type { OutgoingEvent } from '../outgoing-event.js';
import type { Source } from '../source.js';
import { isInputLine, readOutgoingEvent } from './format.js';
import { brokenLine, type Recording } from './open-recording.js';

/** Selection of events of a recording. */
export interface ReplayOptions {
  /** Virtual instant of sending from which events are replayed. Default: from the start. */
  readonly from?: Instant;
  /** Virtual instant of sending before which events are replayed. Default: to the end. */
  readonly until?: Instant;
  /** Event types, with `*` for any text: `billing.*`. Default all. */
  readonly only?: readonly string[];
  /** Account numbers. An event is replayed if its key or payload names one of them. Default all. */
  readonly account?: readonly string[];
  /** Whether a broken line is skipped with a warning instead of ending the replay. Default false. */
  readonly skipBroken?: boolean;
}

/** Maximum number of warnings about single broken lines. */
const maxWarnings = 10;

/**
 * Returns a source of the recorded events, byte for byte. It throws `invalid-recording` with the number of a broken line.
 */
export function replaying(recording: Recording, options: ReplayOptions, logger: Logger): Source {
  const isSelected = selection(options);
  const faults = new Map<string, number>();
  const { path, lines } = recording;
  let skipped = 0;
  let isEmpty = true;

  function read(bytes: Buffer, number: number): OutgoingEvent | undefined {
    try {
      return readOutgoingEvent(bytes.toString());
    } catch (error) {
      const broken = brokenLine(path, number, error as Error, 'Skip broken lines with --skip-broken.');
      if (options.skipBroken !== true) throw broken;
      if (++skipped <= maxWarnings) logger.warn('broken line skipped', { file: path, line: number });
      return undefined;
    }
  }

  return {
    faults,
    branches: new Map(),
    async next() {
      for (;;) {
        const { done, value: line } = await lines.next();
        if (done === true) {
          const by = (['from', 'until', 'only', 'account'] as const).filter((each) => options[each]);
          if (!isEmpty || by.length === 0) return undefined;
          const message = `No event of ${quoted(path)} matches ${by.map(quoted).join(', ')}. Select other events.`;
          throw new BusbarError('invalid-option', message, { options: by });
        }
        if (isInputLine(line.bytes)) continue;
        const emission = read(line.bytes, line.number);
        if (emission === undefined || !isSelected(emission)) continue;
        isEmpty = false;
        // A duplicate carries the faults of its original, which are already counted.
        const own = emission.faults.includes('duplicate') ? ['duplicate'] : emission.faults;
        for (const fault of own) faults.set(fault, (faults.get(fault) ?? 0) + 1);
        return { at: emission.sentAt ?? emission.at, emissions: [emission] };
      }
    },
    async close() {
      if (skipped > maxWarnings) {
        logger.warn('broken lines skipped', { file: path, lines: skipped });
      }
      await lines.return();
    },
  };
}

/** @throws BusbarError `invalid-option` for a selection that no event of the catalogue can match */
export function requirePossible({ from, until, only = [] }: ReplayOptions, catalogue: Catalogue): void {
  if (from !== undefined && until !== undefined && from >= until) {
    const message = '"from" must be before "until". Correct one of them.';
    throw new BusbarError('invalid-option', message, { options: ['from', 'until'] });
  }
  const types = catalogue.events.map(({ type }) => type);
  const unmatched = only.find((pattern) => !types.some(matcherOf(pattern)));
  if (unmatched === undefined) return;
  const group = `${unmatched}.*`;
  const near = catalogue.nearest(unmatched).map((name) => catalogue.named(name)?.type ?? name);
  const hint = didYouMean(types.some(matcherOf(group)) ? [group] : [...new Set(near)]);
  const message = `No event of the catalogue matches ${quoted(unmatched)}.${hint} "*" matches any text.`;
  throw new BusbarError('invalid-option', message);
}

function selection({ from = -Infinity, until = Infinity, only, account }: ReplayOptions) {
  const patterns = only?.map(matcherOf);
  const named = account?.map((number) => ({ number, text: JSON.stringify(number) }));
  return ({ at, sentAt = at, envelope, key, bytes }: OutgoingEvent): boolean =>
    sentAt >= from &&
    sentAt < until &&
    (patterns === undefined || patterns.some((matches) => matches(envelope.event_type))) &&
    (named === undefined || named.some(({ number, text }) => key === number || bytes.includes(text)));
}

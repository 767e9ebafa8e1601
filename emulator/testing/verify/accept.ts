import { BusbarError, quoted } from 'busbar/base';
import type { Cause } from './causes.js';

/** A cause that is known and tolerated until a day. */
export interface Acceptance {
  /** Id of the cause. */
  readonly cause: string;
  readonly title: string;
  /** Checks that showed the cause. A new check that shows it fails. */
  readonly checks: readonly string[];
  /** Reason, e.g. the number of an issue. */
  readonly because: string;
  /** Last day, e.g. `2027-01-31`. At most a year after the acceptance. */
  readonly until: string;
}

/** File of acceptances in the working directory. */
export const acceptFile = 'busbar.accept.json';

/** Whether the acceptance covers the cause today. */
export function isAccepted({ id, checks }: Cause, acceptance: Acceptance, today: string): boolean {
  const isCurrent = acceptance.cause === id && today <= acceptance.until;
  return isCurrent && checks.every((check) => acceptance.checks.includes(check));
}

/** Returns a failure for each acceptance whose checks all ran without showing the cause. */
export function unusedAcceptances(
  accepted: readonly Acceptance[],
  causes: readonly Cause[],
  ran: ReadonlySet<string>,
) {
  return accepted
    .filter(({ checks }) => checks.every((check) => ran.has(check)))
    .filter(({ cause }) => causes.every(({ id }) => id !== cause))
    .map(({ cause, title }) => {
      const reason = `Accepted cause ${cause} is fixed: ${title}. Remove it from "${acceptFile}".`;
      return { name: 'accepted causes', subject: cause, status: 'failed' as const, reason, duration: 0 };
    });
}

/**
 * Returns the acceptances with a new one, sorted by cause.
 * @throws BusbarError `invalid-option` for a day that is past or more than a year ahead
 */
export function accept(
  accepted: readonly Acceptance[],
  { id, title, checks }: Pick<Cause, 'id' | 'title' | 'checks'>,
  { because, until, today }: { readonly because: string; readonly until: string; readonly today: string },
): Acceptance[] {
  const added = readAcceptance({ cause: id, title, checks, because, until });
  const latest = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`;
  if (until < today || until > latest) {
    const message = `"until" must be a day from ${today} to ${latest}, not ${quoted(until)}.`;
    throw new BusbarError('invalid-option', message);
  }
  const others = accepted.filter(({ cause }) => cause !== id);
  return [...others, added].sort((one, other) => (one.cause < other.cause ? -1 : 1));
}

/** Parses the text of {@link acceptFile}. @throws BusbarError `invalid-option` */
export function readAcceptances(text: string): Acceptance[] {
  try {
    const { accepted } = JSON.parse(text) as { readonly accepted: readonly Acceptance[] };
    return accepted.map(readAcceptance);
  } catch (cause) {
    if (cause instanceof BusbarError) throw cause;
    const hint = 'Write it with "emulate verify --accept".';
    const message = `File ${quoted(acceptFile)} is not an object with the list "accepted". ${hint}`;
    throw new BusbarError('invalid-option', message, { cause });
  }
}

function readAcceptance(given: Acceptance): Acceptance {
  const { cause, title, checks, because, until } = given;
  const texts = [cause, title, because, until];
  const isDay = typeof until === 'string' && /^\d{4}-\d\d-\d\d$/.test(until) && !isNaN(Date.parse(until));
  if (isDay && Array.isArray(checks) && texts.every((each) => typeof each === 'string' && each !== ''))
    return { cause, title, checks, because, until };
  const message = `Accepted cause ${quoted(cause)} needs "title", "checks", "because", and a day such as 2027-01-31 as "until".`;
  throw new BusbarError('invalid-option', message);
}

import { type RandomStream, randomStream } from '../../engine/random.js';
import { ownedState } from '../cell-state.js';
import type { Cell, User } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { needs, type NeedsCode } from './needs.js';

/** A need on the Priority Services Register (PSR). */
interface PsrRecord {
  readonly code: NeedsCode;
  description: string;
}

/** The register's records of each user. */
const register = ownedState<User, PsrRecord[]>(({ seed }, { number }) => {
  const random = randomStream(seed, number, 'priority services');
  return random.chance(0.25) ? [newRecord([], random)] : [];
});

/** Adds one to three needs, or amends one if the user has reached the maximum. Key: user number. */
export function registerNeeds(cell: Cell, user: User, random: RandomStream) {
  const records = register.of(cell, user);
  if (records.length > needsPerUser - 3) return amendNeed(cell, user, random);
  const created: PsrRecord[] = [];
  for (let wanted = random.integer(1, 3); wanted > 0; wanted--) {
    const record = newRecord(records, random);
    records.push(record);
    created.push(record);
  }
  return recordsUpdated(user, { created });
}

/** Amends a need. A user without any gets one from before the run. */
export function amendNeed(cell: Cell, user: User, random: RandomStream) {
  const record = random.pick(existingRecords(cell, user));
  record.description = `${needs[record.code].description}, confirmed again`;
  return recordsUpdated(user, { updated: [record] });
}

/** Removes a need. A user without any gets one from before the run. */
export function removeNeed(cell: Cell, user: User, random: RandomStream) {
  const records = existingRecords(cell, user);
  const record = random.pick(records);
  records.splice(records.indexOf(record), 1);
  return recordsUpdated(user, { deleted: [record] });
}

/** Maximum needs of a user. */
const needsPerUser = 8;

function existingRecords(cell: Cell, user: User): PsrRecord[] {
  const records = register.of(cell, user);
  if (records.length === 0) {
    records.push(newRecord([], randomStream(cell.seed, user.number, 'earlier priority services')));
  }
  return records;
}

/** Draws a need that is not among the records, which are always far fewer than the codes. */
function newRecord(records: readonly PsrRecord[], random: RandomStream): PsrRecord {
  const used = new Set<string>(records.map(({ code }) => code));
  const left = Object.entries(needs).map(([code, { weight }]): [string, number] => [
    code,
    used.has(code) ? 0 : weight,
  ]);
  const code = random.weighted(Object.fromEntries(left)) as NeedsCode;
  return { code, description: needs[code].description };
}

type Changes = Partial<Record<'created' | 'updated' | 'deleted', readonly PsrRecord[]>>;

function recordsUpdated(user: User, { created = [], updated = [], deleted = [] }: Changes) {
  return occurrence('account_user.psr_records_updated', user.number, {
    v1: {
      user_id: user.id,
      created_records: created.map(describe),
      updated_records: updated.map(describe),
      deleted_records: deleted.map(describe),
    },
  });
}

function describe({ code, description }: PsrRecord) {
  return { description, electricity_industry_code: code, gas_industry_code: code };
}

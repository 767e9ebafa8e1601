import { type RandomStream, randomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import { ownedState } from '../cell-state.js';
import type { Cell, User } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { needs, type NeedsCode, temporaryNeeds } from '../vocabulary/vulnerability.js';

/** A need on the Priority Services Register. */
interface PsrRecord {
  readonly code: NeedsCode;
  description: string;
}

/** What the register holds about each user. */
const register = ownedState<User, PsrRecord[]>(({ seed }, { number }) => {
  const random = randomStream(seed, number, 'priority services');
  return random.chance(0.25) ? [newRecord([], random)] : [];
});

/**
 * Puts one to three needs on the register that the user does not have on it yet. Where there are as many as anybody
 * has, says more about one of them instead. Key: user number.
 */
export function registerNeeds(cell: Cell, user: User, random: RandomStream): Occurrence {
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

/** Says more about a need that is on the register; somebody without any had one before the run. */
export function amendNeed(cell: Cell, user: User, random: RandomStream): Occurrence {
  const record = random.pick(existingRecords(cell, user));
  record.description = `${needs[record.code].description}, confirmed again`;
  return recordsUpdated(user, { updated: [record] });
}

/** Takes a need off the register; somebody without any had one before the run. */
export function removeNeed(cell: Cell, user: User, random: RandomStream): Occurrence {
  const records = existingRecords(cell, user);
  const record = random.pick(records);
  records.splice(records.indexOf(record), 1);
  return recordsUpdated(user, { deleted: [record] });
}

/** Nobody has more. */
const needsPerUser = 8;

function existingRecords(cell: Cell, user: User): PsrRecord[] {
  const records = register.of(cell, user);
  if (records.length === 0) {
    records.push(newRecord([], randomStream(cell.seed, user.number, 'earlier priority services')));
  }
  return records;
}

/** A need that is not among the records, which are always far fewer than the codes. */
function newRecord(records: readonly PsrRecord[], random: RandomStream): PsrRecord {
  const taken = records.map(({ code }) => code);
  const left = Object.entries(needs).map(([code, { weight }]): [string, number] => {
    // A record cannot say when a temporary need ends.
    const isFree = !taken.includes(code as NeedsCode) && !temporaryNeeds.includes(code as NeedsCode);
    return [code, isFree ? weight : 0];
  });
  const code = random.weighted(Object.fromEntries(left)) as NeedsCode;
  return { code, description: needs[code].description };
}

interface Changed {
  readonly created?: readonly PsrRecord[];
  readonly updated?: readonly PsrRecord[];
  readonly deleted?: readonly PsrRecord[];
}

function recordsUpdated(user: User, { created = [], updated = [], deleted = [] }: Changed): Occurrence {
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

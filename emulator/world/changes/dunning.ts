import type { Occurrence } from '../../engine/scenario.js';
import { type Day, formatDay } from '../../engine/time.js';
import type { Account, Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import type { dunningPaths } from '../vocabulary/debt.js';

/** A dunning process: a series of reminders. Key of its events: account number. */
export interface Dunning {
  readonly id: string;
  readonly account: Account;
  readonly path: DunningPath;
}

type DunningPath = keyof typeof dunningPaths;

export function startDunning(
  cell: Cell,
  account: Account,
  { path, on, note }: { readonly path: DunningPath; readonly on: Day; readonly note: string },
): { dunning: Dunning; started: Occurrence } {
  const dunning: Dunning = { id: cell.ids.uuid('dunning process'), account, path };
  const started = occurrence('dunning_path_started', account.number, {
    v1: { ...describe(dunning), created_note: note, start_date: formatDay(on) },
  });
  return { dunning, started };
}

export function pauseDunning(
  dunning: Dunning,
  pause: { readonly from: Day; readonly to: Day; readonly note: string },
): Occurrence {
  return occurrence('dunning_path_paused', dunning.account.number, {
    v1: {
      ...describe(dunning),
      pause_start_date: formatDay(pause.from),
      pause_end_date: formatDay(pause.to),
      created_note: pause.note,
    },
  });
}

export function resumeDunning(dunning: Dunning): Occurrence {
  return occurrence('dunning_path_unpaused', dunning.account.number, { v1: describe(dunning) });
}

export function withdrawDunning(dunning: Dunning, on: Day, note: string): Occurrence {
  return occurrence('dunning_path_withdrawn', dunning.account.number, {
    v1: { ...describe(dunning), withdrawn_date: formatDay(on), withdrawn_note: note },
  });
}

function describe({ id, account, path }: Dunning) {
  return { account_number: account.number, dunning_path_name: path, dunning_process_id: id };
}

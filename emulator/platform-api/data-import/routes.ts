import { accountImports } from './accounts.js';
import { followUps } from './follow-ups.js';
import { acceptImport, type IntakeOptions } from './accept-import.js';
import { orderImports } from './orders.js';
import { importProcesses, processReaders } from './processes.js';

/** Returns the handlers of the operations below `data-import/`, by operation id. */
export function dataImport(options: IntakeOptions) {
  const intake = acceptImport(options);
  const processes = importProcesses(intake);
  return {
    ...accountImports(intake, processes),
    ...followUps(intake, processes),
    ...orderImports(intake),
    ...processReaders(intake, processes),
  };
}

import type { platformApi } from 'busbar/catalogue';
import { london } from '../../engine/calendar.js';
import { formatDay } from '../../engine/time.js';
import { dataImportAccount } from '../../scenarios/import/data-import-account.js';
import type { Problem } from '../api-error.js';
import type { PlatformHandler } from '../document.js';
import { documentLocator, documentsOf, importedAccount } from './account-data.js';
import { problemsBetweenFields, problemsOfHolders } from './account-problems.js';
import type { Intake } from './accept-import.js';
import { aboutNumber, accepted, type Identified, notSent, type Processes } from './processes.js';
import { digestOf } from './references.js';

/** Returns the handlers that import accounts, rehearse imports and start accepted ones at once. */
export function accountImports(
  { session, imports, accept, start }: Intake,
  { find, hasBegun, processOfNumber }: Processes,
) {
  function problemsOf(members: Partial<Identified>): Problem[] {
    const { found, isTaken } = find(members);
    const today = formatDay(london.dayAt(session().run.now));
    const problems = [
      ...problemsBetweenFields(members, today),
      ...problemsOfHolders(members, (point, number) => imports().isTaken(point, number)),
    ];
    if (isTaken) problems.push(aboutNumber('external_number_taken', 'Belongs to another import supplier.'));
    if (found?.latest !== undefined && found.latest.digest !== digestOf(members) && hasBegun(found)) {
      const code = 'account_import_process_already_imported';
      problems.push(aboutNumber(code, 'Its import has begun or ended.'));
    }
    return problems;
  }

  function receive(body: unknown, step: 'dry-run' | 'import') {
    type Body = platformApi.ImportAccountRequest;
    const { payload, supplier } = accept<Body>('ImportAccountRequest', body, problemsOf);
    const account = importedAccount(payload, {
      locate: documentLocator(supplier),
      customerEmails: supplier.behaviours.customer_emails,
    });
    const data = {
      step,
      supplier: supplier.code,
      external_number: payload.external_account_number,
      digest: digestOf(payload),
      documents: documentsOf(account),
      account,
    };
    return { data, found: find(payload).found };
  }

  const importAccount: PlatformHandler<'importAccount'> = ({ body, response }) => {
    const { data, found } = receive(body, 'import');
    const isNew = found?.latest === undefined;
    if (isNew || found.latest.digest !== data.digest) start(dataImportAccount.name, data, found?.cell);
    if (isNew) response.status(201);
    return processOfNumber(data.external_number);
  };

  const rehearseImport: PlatformHandler<'rehearseImport'> = ({ body }) => {
    const { data, found } = receive(body, 'dry-run');
    start(dataImportAccount.name, data, found?.cell);
    return accepted(data.supplier, data.external_number);
  };

  const processImport: PlatformHandler<'processImport'> = ({ body }) => {
    const { payload } = accept<Identified>('ImportProcessRequest', body, (members) => {
      const { external_account_number: number } = members;
      const isNamed = typeof number === 'string' && number !== '';
      return isNamed && find(members).found?.latest === undefined ? [notSent] : [];
    });
    const { found } = find(payload);
    if (found?.latest !== undefined && !hasBegun(found) && found.latest.step !== 'process') {
      start(dataImportAccount.name, { ...found.latest, step: 'process' }, found.cell);
    }
    return processOfNumber(payload.external_account_number);
  };

  return { importAccount, rehearseImport, processImport };
}

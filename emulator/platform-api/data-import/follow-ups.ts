import type { platformApi } from 'busbar/catalogue';
import { dataImportAccount } from '../../scenarios/import/data-import-account.js';
import type { NotesInput, TransactionsInput } from '../../scenarios/import/import-input.js';
import type { Problem } from '../api-error.js';
import type { PlatformHandler } from '../document.js';
import { documentLocator, importedEntry, importedNote } from './account-data.js';
import type { Intake } from './accept-import.js';
import { aboutNumber, accepted, type Identified, notSent, type Processes } from './processes.js';
import { digestOf, problemsOfReferences, withoutRepeats } from './references.js';

/** The maximum number of transactions after an import: a household has as many ids for ledger entries. */
const maxTransactions = 300;

/** Returns the handlers that accept notes and transactions for imported accounts. */
export function followUps({ accept, start }: Intake, { find, processOf }: Processes) {
  /** Returns the problem of an account that has not been imported. */
  function problemsOf(members: Partial<Identified>): Problem[] {
    const { external_account_number: number } = members;
    if (typeof number !== 'string' || number === '') return [];
    const { found } = find(members);
    if (found === undefined) return [notSent];
    if (processOf(found).account_number !== null) return [];
    return [aboutNumber('account_not_imported_yet', 'Its import has not ended.')];
  }

  function follow(
    payload: Identified,
    data: Pick<NotesInput, 'step' | 'notes'> | Pick<TransactionsInput, 'step' | 'entries'>,
    documents: readonly string[] = [],
  ) {
    const { import_supplier: supplier, external_account_number: external_number } = payload;
    const all = data.step === 'notes' ? data.notes : data.entries;
    if (all.length > 0) {
      const about = { supplier, external_number, digest: digestOf(data), documents };
      start(dataImportAccount.name, { ...data, ...about }, find(payload).found?.cell);
    }
    return accepted(supplier, external_number);
  }

  const referencesOf = (members: Partial<Identified>, member: 'notes' | 'transactions') =>
    find(members).found?.references[member] ?? new Map<string, string>();

  const importNotes: PlatformHandler<'importNotes'> = ({ body }) => {
    type Body = platformApi.ImportNotesRequest;
    const { payload, supplier } = accept<Body>('ImportNotesRequest', body, (members) => [
      ...problemsOf(members),
      ...problemsOfReferences(members.notes, 'notes', referencesOf(members, 'notes')),
    ]);
    const fresh = withoutRepeats(payload.notes, referencesOf(payload, 'notes'));
    const notes = fresh.map((note) => importedNote(note, documentLocator(supplier)));
    const documents = notes.flatMap((note) => note.documents);
    return follow(payload, { step: 'notes', notes }, documents);
  };

  const importTransactions: PlatformHandler<'importTransactions'> = ({ body }) => {
    type Body = platformApi.ImportTransactionsRequest;
    const { payload } = accept<Body>('ImportTransactionsRequest', body, (members) => {
      const known = referencesOf(members, 'transactions');
      const before = find(members).found?.transactions ?? 0;
      const added = withoutRepeats(members.transactions, known).length;
      const detail = `An imported account can have ${maxTransactions} transactions here.`;
      const tooMany = { detail, code: 'too_many', attr: 'transactions' };
      return [
        ...problemsOf(members),
        ...problemsOfReferences(members.transactions, 'transactions', known),
        ...(before + added > maxTransactions ? [tooMany] : []),
      ];
    });
    const fresh = withoutRepeats(payload.transactions, referencesOf(payload, 'transactions'));
    return follow(payload, { step: 'transactions', entries: fresh.map(importedEntry) });
  };

  return { importNotes, importTransactions };
}

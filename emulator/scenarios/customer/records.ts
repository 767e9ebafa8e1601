import { after, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import type { Account, Cell } from '../../world/cell.js';
import { addNote, type Note, otherValue, removeNote, updateNote } from '../../world/customer/metadata.js';
import {
  changeDocumentFormat,
  changePreferences,
  changeReadPermission,
  updateConsent,
} from '../../world/customer/preferences.js';
import { amendNeed, registerNeeds, removeNeed } from '../../world/customer/priority-services.js';
import { changeEmail, changeName, removeLoyaltyRole, removeUser } from '../../world/customer/users.js';
import { type Customer, customerOf } from '../../world/customer/customer.js';
import { isSmartMeter } from '../../world/industry/meters.js';
import { presentSupplies } from '../../world/supplies.js';
import { defineScenario, emit } from '../define.js';

const branches = {
  topic: { needs: 0.25, preferences: 0.3, 'account-note': 0.1, 'user-note': 0.1, details: 0.25 },
  needs: { added: 0.75, amended: 0.1, removed: 0.15 },
  format: { unchanged: 0.6, changed: 0.4 },
  note: { kept: 0.48, updated: 0.32, removed: 0.12, 'updated-then-removed': 0.08 },
} as const;

export const psrAndPreferences = defineScenario({
  name: 'psr-and-preferences',
  title: 'A customer says who they are and what they need',
  description:
    'A customer tells the platform about themselves: a need for the Priority Services Register, which can mean ' +
    'documents in another format, how they want to be written to, a new name or e-mail address. Or something is ' +
    'noted about the customer or the account, and changed or forgotten weeks or months later.',
  rate: 160,
  branches,
  *run(context) {
    const customer = customerOf(context.cell);
    if (customer === undefined) return;
    switch (context.branch.topic) {
      case 'needs':
        return yield* changeNeeds(context, customer);
      case 'preferences':
        return yield* emit(changePreferences(context.cell, customer.account, context.random));
      case 'account-note':
        return yield* keepNote(context, { account: customer.account });
      case 'user-note':
        return yield* keepNote(context, { user: customer.user });
      case 'details':
        return yield* changeDetails(context, customer);
    }
  },
});

type Preferences = ScenarioContext<Cell, typeof branches>;

function* changeNeeds({ cell, branch, random }: Preferences, { account, user }: Customer): Steps {
  const change = { added: registerNeeds, amended: amendNeed, removed: removeNeed }[branch.needs];
  yield* emit(change(cell, user, random));
  if (branch.format === 'unchanged') return;
  yield* after({ seconds: 1 }, { minutes: 5 });
  yield* emit(changeDocumentFormat(cell, account, random));
}

function* keepNote({ cell, branch, random }: Preferences, about: Note['about']): Steps {
  const added = addNote(cell, about, random);
  if (added === undefined) return;
  const { note, created } = added;
  yield* emit(created);
  if (branch.note === 'updated' || branch.note === 'updated-then-removed') {
    yield* after({ days: 1 }, { days: 60 }, 'waking');
    yield* emit(updateNote(note, otherValue(note, random)));
  }
  if (branch.note === 'removed' || branch.note === 'updated-then-removed') {
    yield* after({ days: 30 }, { days: 200 }, 'waking');
    yield* emit(removeNote(cell, note));
  }
}

function* changeDetails({ cell, random }: Preferences, customer: Customer): Steps {
  const change = random.chance(0.7) ? changeEmail(customer, random) : changeName(cell, customer, random);
  yield* emit(change.ofUser);
  yield* after({ milliseconds: 200 }, { seconds: 2 });
  yield* emit(change.ofAccount());
}

export const smartReadPermission = defineScenario({
  name: 'smart-read-permission',
  title: 'A customer decides how often smart meters are read',
  description:
    'A customer, or an agent for them, lets the platform read the smart meters more or less often than before. Mostly ' +
    'the consent that this rests on is signed again.',
  setting: 'smart',
  rate: 60,
  branches: { consent: { signed: 0.7, unchanged: 0.3 } },
  *run({ cell, branch, random }) {
    const customer = customerOf(cell);
    if (customer === undefined || !hasSmartMeter(cell, customer.account)) return;
    yield* emit(changeReadPermission(cell, customer, random));
    if (branch.consent === 'unchanged') return;
    yield* after({ milliseconds: 200 }, { seconds: 5 });
    yield* emit(updateConsent(cell, customer));
  },
});

function hasSmartMeter(cell: Cell, account: Account): boolean {
  return presentSupplies(cell).some(
    (supply) => supply.account === account && isSmartMeter(cell, supply.supplyPoint),
  );
}

export const userRemoved = defineScenario({
  name: 'user-removed',
  title: 'A second user loses access to an account',
  description:
    'Somebody who shared an account with its holder, as a former partner or flatmate, is unlinked from it by an agent. ' +
    'They collect no more loyalty points for it, and do not see it any more.',
  setting: 'shared',
  // A quarter of the accounts has a second user.
  rate: 44,
  starts: 'office',
  branches: {},
  *run({ cell }) {
    const customer = customerOf(cell);
    if (customer === undefined) return;
    const { account } = customer;
    const user = account.users[1];
    if (user === undefined) return;
    yield* emit(removeLoyaltyRole(user, account));
    yield* after({ milliseconds: 200 }, { seconds: 2 });
    if (account.users.includes(user)) yield* emit(removeUser(user, account));
  },
});

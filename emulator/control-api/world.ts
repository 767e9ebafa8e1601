import { BusbarError } from 'busbar/base';
import { parseInstant } from '../engine/read-time.js';
import { formatDay, formatInstant } from '../engine/time.js';
import type { Session } from '../run/session.js';
import type { Account, Cell, Property } from '../world/cell.js';
import { notesAbout } from '../world/customer/metadata.js';
import { balance } from '../world/billing/books.js';
import type { ControlHandlers } from './document.js';

/** Returns the handlers that read the ground truth at a virtual instant. */
export function worldOperations(session: Session) {
  const instantOf = (at: string | undefined) => (at === undefined ? session.run.now : parseInstant('at', at));
  return {
    getAccount({ parameters: { number, at: wanted } }) {
      const at = instantOf(wanted);
      const { cell, account } = session.accountAt(number, at);
      return { at: formatInstant(at), cell: cell.index, account: accountOf(cell, account) };
    },
    getProcess({ parameters: { number, at: wanted } }) {
      const at = instantOf(wanted);
      const { cell, occurred } = session.processAt(number, at);
      const events = occurred.map(({ at: then, instance, occurrence }) => ({
        at: formatInstant(then),
        event_type: occurrence.type,
        versions: occurrence.versions.map(({ version }) => version),
        instance,
      }));
      return { at: formatInstant(at), cell, number, last: events.at(-1)?.event_type ?? null, events };
    },
    getCell({ parameters: { cell, at: wanted } }) {
      if (!session.knows(cell)) {
        throw new BusbarError('unknown-account', 'The run has no cell of that number.');
      }
      const at = instantOf(wanted);
      return { at: formatInstant(at), cell: cellOf(session.cell(cell, at)) };
    },
  } satisfies Partial<ControlHandlers>;
}

function cellOf(cell: Cell) {
  const { index, setting, accounts, properties } = cell;
  return {
    index,
    setting,
    accounts: accounts.map((account) => accountOf(cell, account)),
    properties: properties.map(propertyOf),
  };
}

function accountOf(cell: Cell, account: Account) {
  const { id, number, status, users, agreements, occupancies, ledger } = account;
  return {
    id,
    number,
    status,
    users: users.map((user) => ({ id: user.id, number: user.number, name: user.name, email: user.email })),
    agreements: agreements.map(({ id, supplyPoint, product, from, to }) => ({
      id,
      market: supplyPoint.market,
      identifier: supplyPoint.identifier,
      product,
      ...period(from, to),
    })),
    occupancies: occupancies.map((occupancy) => ({
      id: occupancy.id,
      property_id: occupancy.property.id,
      ...period(occupancy.from, occupancy.to),
      metadata: Object.fromEntries(
        Array.from(notesAbout(cell, { account, occupancy }).values(), ({ key, value }) => [key, value]),
      ),
    })),
    ledger: { number: ledger.number, balance: balance(ledger), entries: ledger.entries.length },
  };
}

function propertyOf({ id, region, supplyPoints }: Property) {
  return {
    id,
    region: region.letter,
    supply_points: supplyPoints.map(({ id: point, market, identifier }) => ({
      id: point,
      market,
      identifier,
    })),
  };
}

/** Returns the first day and the day after the last. */
function period(from: number, to: number | undefined) {
  return { from: formatDay(from), to: to === undefined ? null : formatDay(to) };
}

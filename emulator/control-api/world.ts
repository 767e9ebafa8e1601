import type { Router } from 'express';
import { BusbarError } from '../../src/base/errors.js';
import { formatDay, formatInstant } from '../engine/time.js';
import type { Session } from '../run/session.js';
import type { Account, Cell, Property } from '../world/cell.js';
import { balance } from '../world/ledger.js';
import { readQuery } from './read.js';
import { resource } from './resource.js';

/** `/world`: the truth behind the events, at a virtual instant. */
export function worldResource(router: Router, session: Session): void {
  resource(router, '/world/accounts/:number', {
    get(request) {
      const { at = session.run.now } = readQuery(request, { at: 'instant' });
      const { cell, account } = session.accountAt(String(request.params.number), at);
      return { body: { at: formatInstant(at), cell: cell.index, account: accountOf(account) } };
    },
  });
  resource(router, '/world/processes/:number', {
    get(request) {
      const number = String(request.params.number);
      const { at = session.run.now } = readQuery(request, { at: 'instant' });
      const { cell, occurred } = session.processAt(number, at);
      const events = occurred.map(({ at: then, instance, occurrence }) => ({
        at: formatInstant(then),
        event_type: occurrence.type,
        versions: occurrence.versions.map(({ version }) => version),
        instance,
      }));
      return {
        body: { at: formatInstant(at), cell, number, last: events.at(-1)?.event_type ?? null, events },
      };
    },
  });
  resource(router, '/world/cells/:cell', {
    get(request) {
      const cell = /^\d{1,8}$/.test(String(request.params.cell)) ? Number(request.params.cell) : -1;
      if (!session.knowsCell(cell)) {
        throw new BusbarError('unknown-account', 'The run plays no cell of that number.');
      }
      const { at = session.run.now } = readQuery(request, { at: 'instant' });
      return { body: { at: formatInstant(at), cell: cellOf(session.cellAt(cell, at)) } };
    },
  });
}

function cellOf({ index, setting, accounts, properties }: Cell) {
  return { index, setting, accounts: accounts.map(accountOf), properties: properties.map(propertyOf) };
}

function accountOf({ id, number, status, users, agreements, occupancies, ledger }: Account) {
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
    occupancies: occupancies.map(({ id, property, from, to, metadata }) => ({
      id,
      property_id: property.id,
      ...period(from, to),
      metadata: Object.fromEntries(metadata ?? []),
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

/** From the first day to the one after the last. */
function period(from: number, to: number | undefined) {
  return { from: formatDay(from), to: to === undefined ? null : formatDay(to) };
}

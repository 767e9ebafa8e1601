import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import {
  after,
  changes,
  defineScenario,
  emit,
  type PlatformScenario,
  type Steps,
  parallel,
  until,
} from '../../../emulator/index.js';
import { occur } from '../../../emulator/engine/scenario.js';
import { Plan } from '../../../emulator/run/plan.js';
import type { Cell } from '../../../emulator/world/cell.js';
import { play } from '../scenarios/play.js';

const failing = (scenario: PlatformScenario, more = {}) =>
  play(scenario, more).then(
    () => 'nothing failed',
    (reason: unknown) => String(reason),
  );
const doing = (run: PlatformScenario['run']) =>
  defineScenario({ name: 'mine', title: '', description: '', branches: {}, run });

describe('a scenario of the user', () => {
  it('fails on an invalid payload with step and pointer but no value', async () => {
    const secret = { account_number: 41_277 } as unknown as { account_number: string };
    const error = await failing(
      doing(({ cell }) => emit('account.occupied', 'v1', secret, { key: cell.account.number })),
    );
    expect(error).toMatch(
      /"mine#1" in cell 1, step "account.occupied", emits an invalid "account.occupied-v1"/,
    );
    expect(error).toContain('/account_number');
    expect(error).not.toContain('41277');
  });

  it('fails on an event or version that the catalogue does not have', async () => {
    const unknown = (type: string, version: string) =>
      failing(doing(() => occur({ type, key: 'k', versions: [{ version, payload: {} }] })));
    expect(await unknown('account.ocupied', 'v1')).toContain(
      '"account.ocupied" "v1", which is not in the catalogue',
    );
    expect(await unknown('agreement.revoked', 'v9')).toContain('"agreement.revoked" has "v1", "v2"');
  });

  it('changes the world, whose state can be read at any instant', async () => {
    const leaving = doing(function* ({ cell }) {
      const account = changes.accountOnSupply(cell)!;
      const asked = { account, occupancy: changes.homeOf(account)!, endsOn: cell.today + 28 };
      const { leave, requested } = changes.requestLeave(cell, asked);
      yield* emit(requested);
      yield* after({ days: 2 }, { days: 2 });
      yield* emit(changes.completeLeave(leave));
    });
    const emissions = await play(leaving);
    const types = emissions.map(({ envelope }) => envelope.event_type);
    expect(new Set(types)).toEqual(
      new Set(['lifecycle.leave-supplier.requested', 'lifecycle.leave-supplier.completed']),
    );
    const { cell, at } = emissions.at(-1)!;
    const statusAt = (instant: number) => new Plan({ scenario: leaving }).cell(cell, instant).account.status;
    expect([statusAt(at - 1), statusAt(at)]).toEqual(['ACTIVE', 'DORMANT']);
  });

  it('changes an agreement, the ledger, the notes and the password of its household', async () => {
    const busy = doing(function* ({ cell, calendar, now }) {
      const { account, user } = changes.customerOf(cell)!;
      const today = calendar.dayAt(now);
      const [agreement] = account.agreements;
      yield* emit(changes.terminateAgreement(account, agreement!, today));
      const { supplyPoint, product } = agreement!;
      yield* emit(changes.createAgreement(cell, account, { supplyPoint, product, from: today }).created);
      yield* emit(changes.postEntry(cell, account, { kind: 'payment', amount: 4_500 }).posted);
      const { note, created } = changes.writeNote(cell, { account }, 'sign_in_trouble', 'twice');
      yield* emit(created);
      yield* emit(changes.changePassword(user));
      yield* emit(changes.removeNote(cell, note));
    });
    const types = (await play(busy)).map(({ envelope }) => envelope.event_type);
    expect([...new Set(types)]).toEqual([
      'agreement.terminated',
      'agreement.created',
      'billing.ledger.entry_posted',
      'account_metadata.created',
      'account_user.password_changed',
      'account_metadata.removed',
    ]);
  });

  it('finds every change in the documentation', () => {
    const page = readFileSync('docs/guides/scenarios.md', 'utf8');
    expect(Object.keys(changes).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it.each([
    ['a span', () => after({ hours: Number.NaN })],
    ['a span before a window', () => after({ hours: Number.NaN }, { hours: Number.NaN }, 'night')],
    ['an instant', () => until(Number.NaN)],
  ])('reports a wait for %s that is not a number', async (_, wait) => {
    expect(await failing(doing(wait))).toMatch(
      /"mine#1" in cell 1 at .* waits for a time that is not a number\. /,
    );
  });

  it('emits events that were added to the catalogue', async () => {
    const schema = {
      $id: 'tariff.changed-v1',
      title: 'TariffChangedV1',
      'x-event-type': 'tariff.changed',
      'x-event-version': 'v1',
      'x-busbar-key': 'tariff',
      type: 'object',
      properties: { tariff_code: { type: 'string' } },
      required: ['tariff_code'],
    };
    const payload = { tariff_code: 'E-1R-VAR-22-11-01-C' };
    const scenario = doing(() =>
      occur({ type: 'tariff.changed', key: 'E-1R', versions: [{ version: 'v1', payload }] }),
    );
    const [emission] = await play(scenario, { catalogue: openCatalogue({ events: [schema] }) });
    expect(emission?.envelope.payload).toEqual(payload);
    expect(emission?.key).toBe('E-1R');
  });

  it('fails with its own error, its cell and its last step', async () => {
    const throwing = doing(function* ({ cell: { account } }) {
      yield* emit('account.occupied', 'v1', { account_number: account.number }, { key: account.number });
      throw new Error('no meter');
    });
    expect(await failing(throwing)).toContain(
      'Scenario instance "mine#1" in cell 1 at 2026-03-02T09:00:00.000Z, after step "account.occupied", threw: no meter',
    );
  });

  it('fails if it creates a step without "yield*"', async () => {
    const forgetful = doing(function* ({ cell: { account } }) {
      const { number } = account;
      yield emit('account.occupied', 'v1', { account_number: number }, { key: number }) as never;
    });
    expect(await failing(forgetful)).toContain('Write "yield*" before "emit"');
  });
});

describe('a scenario of the user keys its events by what their schemas name', () => {
  const keyed = (key: (cell: Cell) => string) =>
    doing(({ cell }) => {
      const payload = { user_id: cell.account.users[0]!.id };
      return emit('account_user.password_changed', 'v1', payload, { key: key(cell) });
    });

  it('accepts keys of other entities than accounts', async () => {
    const [emission] = await play(keyed(({ account }) => account.users[0]!.number));
    expect(emission?.key).toMatch(/^U-/);
  });

  it.each<[string, (cell: Cell) => string, string]>([
    ['an account', ({ account }) => account.number, 'its key is not that of entity "user", U- and eight'],
    ['nothing', () => '', 'its key is empty'],
    [
      'the user of another household',
      ({ index, identifiers }) => identifiers.number('user', index + 1, 0),
      'its key names the user of another cell',
    ],
  ])('fails on a key that is %s', async (_what, key, message) => {
    const error = await failing(keyed(key));
    expect(error).toContain('Scenario "mine" in cell 1, step "account_user.password_changed", emits');
    expect(error).toContain('"account_user.password_changed-v1"');
    expect(error).toContain(message);
    expect(error).not.toMatch(/U-[\dA-F]{8}/);
  });
});

describe('a scenario of the user stays in its cell', () => {
  /** Remembers the first cell that it is played in, and names it in all others. */
  const meddling = (tell: (first: Cell, own: Cell) => Steps) => {
    let first: Cell | undefined;
    return doing(({ cell }) => tell((first ??= cell), cell));
  };

  it.each<[string, string, (first: Cell, own: Cell) => Steps]>([
    [
      'an account, as the key',
      'its key names the account of another cell',
      ({ account: { number } }) =>
        emit('account.occupied', 'v1', { account_number: number }, { key: number }),
    ],
    [
      'an account, in the payload',
      'at "/account_number"',
      ({ account: { number } }, { account }) =>
        emit('account.occupied', 'v1', { account_number: number }, { key: account.number }),
    ],
    [
      'a meter point',
      'at "/mpan"',
      ({ properties }, { account }) => {
        const mpan = properties[1]!.supplyPoints[0]!.identifier;
        const payload = { mpan, serial_number: '12L1234567', effective_from: '2026-03-02' };
        const type = 'industry.electricity.change_of_service.meter_deactivated';
        return emit(type, 'v1', payload, { key: account.number });
      },
    ],
    [
      'a property, by an object of the world',
      'at "/changes/property_id"',
      ({ properties }, { account: { number } }) => {
        const changes = { property_id: properties[0]!.id };
        return emit('account_metadata.updated', 'v1', { account_number: number, changes }, { key: number });
      },
    ],
    [
      'a user, on a thread of its own',
      'its key names the user of another cell',
      ({ account: { users } }) => {
        const { id, number } = users[0]!;
        return parallel(emit('account_user.password_changed', 'v1', { user_id: id }, { key: number }));
      },
    ],
  ])('fails if it names %s', async (_what, message, tell) => {
    expect(await failing(meddling(tell), { instances: 1 })).toBe('nothing failed');
    const error = await failing(meddling(tell), { instances: 2 });
    expect(error).toMatch(/Scenario "mine" in cell 2, step "[\w.]+", /);
    expect(error).toContain(message);
  });

  it('names its own entities and unknown ones', async () => {
    const own = doing(function* ({ cell }) {
      const { account, properties, ids } = cell;
      const changes = {
        next_account: ids.number('account'),
        meter_points: properties.flatMap(({ supplyPoints }) => supplyPoints.map((each) => each.identifier)),
        property_id: properties[3]!.id,
        told_by: 'the neighbour',
      };
      const key = account.number;
      yield* emit('account_metadata.updated', 'v1', { account_number: key, changes }, { key });
    });
    expect(await play(own, { instances: 20 })).toHaveLength(20);
  });
});

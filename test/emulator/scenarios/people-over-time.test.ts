import { describe, expect, it } from 'vitest';
import { london } from '../../../emulator/engine/calendar.js';
import { randomStream } from '../../../emulator/engine/random.js';
import { dayOf, hour } from '../../../emulator/engine/time.js';
import { findScenario } from '../../../emulator/scenarios/find.js';
import type { CellKind } from '../../../emulator/world/cell.js';
import { type Happened, of } from './payloads.js';
import { type Beginning, openHousehold, playInOneHousehold } from './same-household.js';

const cells = Array.from({ length: 12 }, (_, index) => index + 1);

/** A year in which that many of the scenarios begin in one cell, also side by side. */
function aYear(cell: number, names: readonly string[], count: number, setting: CellKind = 'household') {
  const random = randomStream('a year', cell);
  const beginnings = Array.from({ length: count }, (): Beginning => {
    const scenario = random.pick(names);
    const at = london.instantOf(dayOf(2026, 3, 2) + random.integer(0, 364), random.integer(0, 86_399_999));
    return { at: london.next(at, findScenario(scenario).starts ?? 'waking'), scenario };
  });
  // The household moves once, in summer.
  const moves = { at: london.instantOf(dayOf(2026, 7, 1), 12 * hour), scenario: 'house-move' };
  if (setting === 'household') beginnings.push(moves);
  return playInOneHousehold(beginnings, { cell, setting });
}

const payload = ({ envelope }: Happened) => envelope.payload as Record<string, unknown>;

describe('people in one household over a year', () => {
  it('keeps one value for each note, and changes only existing notes', () => {
    let notes = 0;
    for (const cell of cells) {
      const live = new Map<string, unknown>();
      for (const event of aYear(cell, ['psr-and-preferences', 'user-removed'], 60)) {
        const [topic = '', verb] = event.envelope.event_type.split('.');
        if (topic !== 'account_metadata' && topic !== 'account_user_metadata') continue;
        notes++;
        const { key, value, changes } = payload(event);
        const of = (name: unknown) => `${event.key} ${String(name)}`;
        if (verb === 'created') {
          expect(live.has(of(key))).toBe(false);
          live.set(of(key), value);
        } else if (verb === 'updated') {
          for (const [name, change] of Object.entries(
            changes as Record<string, { old: string; new: string }>,
          )) {
            expect(live.get(of(name))).toBe(change.old);
            live.set(of(name), change.new);
          }
        } else {
          expect(live.get(of(key))).toBe(value);
          live.delete(of(key));
        }
      }
    }
    expect(notes).toBeGreaterThan(50);
  });

  it('reports no move out of a home that was lost before the reply to an e-mail', () => {
    const morning = london.instantOf(dayOf(2026, 3, 16), 9 * hour);
    for (const cell of cells) {
      const events = playInOneHousehold(
        [
          { at: morning, scenario: 'house-move' },
          { at: morning + hour / 6, scenario: 'switch-loss' },
        ],
        { cell, branches: { outcome: 'reversed' }, setting: 'household' },
      );
      expect(of(events, 'lifecycle.leave-supplier.requested', 'v3')).toHaveLength(1);
    }
  });

  it('notes one forwarding address for a home, though moves are called off', () => {
    let asked = 0;
    for (const cell of cells) {
      const moves = [dayOf(2026, 3, 2), dayOf(2026, 6, 1)].map((date) => {
        return { at: london.instantOf(date, 12 * hour), scenario: 'house-move' };
      });
      const branches = { outcome: 'cancelled', forwarding: 'kept' };
      const events = playInOneHousehold(moves, { cell, branches, setting: 'household' });
      asked += of(events, 'lifecycle.leave-supplier.requested', 'v3').length;
      const created = of(events, 'account_property_effective_period_metadata.created', 'v1');
      const homes = created.map((event) => event.payload.account_property_effective_period_id);
      expect(homes).toEqual([...new Set(homes)]);
    }
    expect(asked).toBe(2 * cells.length);
  });

  it('notes no external account number twice', () => {
    const numbers = cells.flatMap((cell) =>
      aYear(cell, ['psr-and-preferences'], 60).flatMap((event) => {
        const { key, value } = payload(event);
        return key === 'external_account_number' && event.envelope.event_type.endsWith('created')
          ? [value]
          : [];
      }),
    );
    expect(numbers.length).toBeGreaterThan(10);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('adds only new needs, and removes only registered ones', () => {
    let deleted = 0;
    for (const cell of cells) {
      const needs = new Map<string, Set<string>>();
      const events = aYear(cell, ['psr-and-preferences'], 60);
      for (const { key, payload: update } of of(events, 'account_user.psr_records_updated', 'v1')) {
        const known = needs.get(key) ?? new Set();
        needs.set(key, known);
        for (const record of update.created_records) {
          expect(known.has(record.electricity_industry_code)).toBe(false);
          known.add(record.electricity_industry_code);
        }
        for (const record of update.deleted_records) {
          deleted++;
          known.delete(record.electricity_industry_code);
        }
      }
    }
    expect(deleted).toBeGreaterThan(5);
  });

  it('hears nothing of a customer who has died', () => {
    const names = ['auth-login', 'psr-and-preferences', 'contact-email', 'phone-call', 'campaigns'];
    for (const cell of cells) expect(aYear(cell, names, 20, 'executors')).toEqual([]);
  });

  it('asks no customer about readings of a meter that is not smart', () => {
    const seen = { smart: 0, plain: 0 };
    for (let cell = 1; cell <= 60; cell++) {
      const { traits } = openHousehold(0, cell, 'household');
      const events = aYear(cell, ['smart-read-permission'], 3);
      const moved = events.findIndex((event) => event.key !== events[0]?.key);
      const before = of(
        moved < 0 ? events : events.slice(0, moved),
        'account.smart-meter-read-permission-changed',
        'v1',
      );
      const isSmart = traits.smartElectricity || traits.smartGas;
      if (!isSmart && traits.fuels !== 'gas') seen.plain++;
      if (isSmart) seen.smart += before.length;
      else expect(before).toEqual([]);
    }
    expect(seen.smart).toBeGreaterThan(20);
    expect(seen.plain).toBeGreaterThan(5);
  });

  it('keeps parallel conversations apart, and closed ones closed', () => {
    for (const cell of cells) {
      const events = aYear(cell, ['contact-email', 'live-chat'], 80);
      const relays = new Set(events.map((event) => payload(event).conversation_relay_id).filter(Boolean));
      expect(relays.size).toBeGreaterThan(20);
      for (const relay of relays) {
        const story = events.filter((event) => payload(event).conversation_relay_id === relay);
        const types = story.map(({ envelope }) => envelope.event_type);
        expect(types[0]).toBe('ink.conversation.opened');
        expect(types.indexOf('ink.conversation.closed')).toBe(types.length - 1);
        expect(new Set(story.map(({ key }) => key)).size).toBe(1);
      }
    }
  });

  it('controls a car between disconnections, and only with access', () => {
    let nights = 0;
    for (const cell of cells) {
      const plugged = new Set<string>();
      const lost = new Set<string>();
      for (const event of aYear(cell, ['flex-day', 'flex-day', 'flex-day', 'flex-register'], 80)) {
        const { event_type } = event.envelope;
        if (!event_type.startsWith('flex_device.')) continue;
        const device = payload(event).device_id as string;
        expect(lost.has(device)).toBe(false);
        if (event_type === 'flex_device.deauthenticated') {
          lost.add(device);
        } else if (event_type === 'flex_device.disconnected') {
          expect(plugged.delete(device)).toBe(true);
        } else if (event_type === 'flex_device.optimisation_created') {
          const { is_reoptimization } = payload(event).payload as { is_reoptimization: boolean };
          expect(plugged.has(device)).toBe(is_reoptimization);
          plugged.add(device);
          nights += is_reoptimization ? 0 : 1;
        }
      }
    }
    expect(nights).toBeGreaterThan(200);
  });

  it('joins a campaign once at a time', () => {
    for (const cell of cells) {
      const joined = new Set<unknown>();
      for (const event of aYear(cell, ['campaigns'], 30)) {
        if (!event.envelope.event_type.startsWith('campaign_account.')) continue;
        const slug = `${event.key} ${String(payload(event).campaign_slug)}`;
        const verb = event.envelope.event_type.replace('campaign_account.', '');
        expect(joined.has(slug)).toBe(verb !== 'added');
        if (verb === 'added') joined.add(slug);
        if (verb === 'removed') joined.delete(slug);
      }
      expect(joined.size).toBeGreaterThan(0);
    }
  });
});

describe('a business over a year', () => {
  it('ends contracts for good, with one agreement per supply at a time', () => {
    const ends = ['rescinded', 'revoked', 'terminated', 'expired', 'novated'].map(
      (end) => `contracts.${end}`,
    );
    let contracts = 0;
    for (const cell of cells) {
      const ended = new Set<unknown>();
      const agreements = new Set<number>();
      for (const event of aYear(cell, ['contract-life', 'contract-group'], 12, 'business')) {
        const { event_type } = event.envelope;
        const { contract_identifier } = payload(event);
        if (contract_identifier !== undefined) expect(ended.has(contract_identifier)).toBe(false);
        if (ends.includes(event_type)) ended.add(contract_identifier);
        if (event_type === 'contracts.created') contracts++;
        if (event_type === 'agreement.created') {
          const { agreement_id } = payload(event) as { agreement_id: number };
          expect(agreements.has(agreement_id)).toBe(false);
          agreements.add(agreement_id);
        }
      }
      // Three sites next to the one that was supplied before.
      expect(agreements.size).toBeLessThanOrEqual(6);
    }
    expect(contracts).toBeGreaterThan(20);
  });

  it('creates at most two businesses in a cell', () => {
    for (const cell of cells) {
      const events = aYear(cell, ['business-onboarding'], 12, 'business');
      expect(of(events, 'business.created', 'v1')).toHaveLength(2);
    }
  });

  it('does not move back into a home it has left', () => {
    let again = 0;
    for (const cell of cells) {
      const start = london.instantOf(dayOf(2026, 3, 2), 12 * hour);
      const moves = [0, 80, 160, 240].map((day) => ({ at: start + day * 24 * hour, scenario: 'house-move' }));
      const branches = { outcome: 'moved', account: 'same', occupier: 'none' };
      const events = playInOneHousehold(moves, { cell, branches, setting: 'landlord' });
      const joined = of(events, 'lifecycle.join-supplier.requested', 'v1').map(
        ({ payload }) => payload.supply_points,
      );
      const left = of(events, 'lifecycle.leave-supplier.requested', 'v3').map(
        ({ payload }) => payload.supply_points,
      );
      const names = (all: readonly { readonly external_identifier: string }[][]) =>
        all.flat().map(({ external_identifier }) => external_identifier);
      expect(names(joined)).toEqual([...new Set(names(joined))]);
      // All are requested in turn: a home is left in a move before the one that could return to it.
      for (const [index, points] of joined.entries())
        expect(names(left.slice(0, index + 1)).filter((point) => names([points]).includes(point))).toEqual(
          [],
        );
      again += Math.max(0, joined.length - 1);
    }
    expect(again).toBeGreaterThan(0);
  });
});

import { describe, expect, it } from 'vitest';
import { london } from '../../../emulator/engine/calendar.js';
import { day, hour } from '../../../emulator/engine/time.js';
import { byCell, of, only } from './payloads.js';
import { play } from './play.js';

const live = (outcome: string, branches: Record<string, string> = {}) =>
  play('contract-life', { seed: 7, instances: 20, branches: { outcome, ...branches } });

describe('contract-life', () => {
  it('starts, creates and actualizes a contract under one identifier', async () => {
    for (const events of byCell(await live('varied', { agreement: 'yes' }))) {
      const { contract_identifier } = only(events, 'contracts.created', 'v1').payload;
      expect(events.slice(0, 4).map(({ envelope }) => envelope.event_type)).toEqual([
        'contracts.journeys.creation.started',
        'contracts.created',
        'contracts.actualized',
        'agreement.created',
      ]);
      for (const { envelope } of events) {
        const payload = envelope.payload as Record<string, unknown>;
        if (envelope.event_type !== 'agreement.created')
          expect(payload.contract_identifier).toBe(contract_identifier);
      }
      const { business_contract_identifier } = only(events, 'agreement.created', 'v1').payload;
      expect(business_contract_identifier).toBe(contract_identifier);
    }
  });

  it('gets another version each time its terms are varied', async () => {
    for (const events of byCell(await live('varied'))) {
      const versions = of(events, 'contracts.actualized', 'v1').map(
        ({ payload }) => payload.version_reference,
      );
      expect(versions).toEqual([1, 2]);
    }
  });

  it('takes its agreement along when it is undone, after the contract itself', async () => {
    for (const outcome of ['rescinded', 'revoked'] as const) {
      for (const events of byCell(await live(outcome, { agreement: 'yes' }))) {
        const created = only(events, 'agreement.created', 'v1').payload;
        const undone = only(events, `contracts.${outcome}`, 'v1');
        const revoked = only(events, 'agreement.revoked', 'v2');
        expect(revoked.payload).toEqual({
          agreement_id: created.agreement_id,
          account_number: created.account_number,
        });
        expect(only(events, 'agreement.revoked', 'v1').at).toBe(revoked.at);
        expect(revoked.at).toBeGreaterThan(undone.at);
      }
      expect(of(await live(outcome, { agreement: 'no' }), 'agreement.revoked', 'v2')).toEqual([]);
    }
  });

  it('rescinds within fourteen days only', async () => {
    for (const events of byCell(await live('rescinded'))) {
      const late = only(events, 'contracts.rescinded', 'v1').at - only(events, 'contracts.created', 'v1').at;
      expect(late).toBeLessThan(14 * day);
    }
  });

  it('sends notices 60, 49, 30 and 7 nights before its expiry', async () => {
    for (const events of byCell(await live('expired'))) {
      const expired = only(events, 'contracts.expired', 'v1');
      const end = Date.parse(expired.payload.valid_to);
      expect(expired.at - end).toBeGreaterThanOrEqual(hour);
      expect(expired.at - end).toBeLessThan(5 * hour);
      const notices = of(events, 'contracts.expiry-approaching', 'v1');
      expect(notices.map(({ payload }) => payload.days_before_expiry)).toEqual([60, 49, 30, 7]);
      for (const { at, payload } of notices) {
        expect(london.next(at, 'night')).toBe(at);
        expect(london.dayAt(at)).toBe(london.dayAt(end) - payload.days_before_expiry);
      }
    }
  });

  it('sends no notices after its novation', async () => {
    for (const events of byCell(await live('novated'))) {
      const novated = only(events, 'contracts.novated', 'v1');
      expect(novated.payload.new_contract_identifier).not.toBe(novated.payload.contract_identifier);
      expect(novated.at).toBe(events.at(-1)?.at);
      const notices = of(events, 'contracts.expiry-approaching', 'v1');
      expect(notices.map(({ payload }) => payload.days_before_expiry)).toEqual([60, 49, 30]);
    }
  });

  it('ends the agreement of a terminated contract', async () => {
    for (const events of byCell(await live('terminated', { agreement: 'yes' }))) {
      const { agreement_id } = only(events, 'agreement.created', 'v1').payload;
      expect(only(events, 'agreement.terminated', 'v2').payload.agreement_id).toBe(agreement_id);
    }
  });
});

describe('contract-group', () => {
  const group = () => play('contract-group', { seed: 7, instances: 20, branches: { members: 'changed' } });

  it('removes only members, and adds only others', async () => {
    for (const events of byCell(await group())) {
      const founding = only(events, 'contract-groups.created', 'v1').payload;
      const founders = founding.memberships.map((member) => member.contract_identifier);
      expect(new Set(founders).size).toBe(founders.length);
      const changed = only(events, 'contract-groups.memberships-changed', 'v1').payload;
      for (const { contract_identifier } of changed.memberships_started) {
        expect(founders).not.toContain(contract_identifier);
      }
      for (const ended of changed.memberships_ended) {
        expect(founders).toContain(ended.contract_identifier);
        expect(ended.valid_from).toBe(founding.valid_from);
        expect(ended.valid_to > ended.valid_from).toBe(true);
      }
    }
  });

  it('supersedes its version with the next at that instant', async () => {
    for (const events of byCell(await group())) {
      const [first, second] = of(events, 'contract-groups.version-created', 'v1').map(
        ({ payload }) => payload,
      );
      expect(first?.superseded_versions).toEqual([]);
      const [before] = first?.created_versions ?? [];
      const [old] = second?.superseded_versions ?? [];
      const [next] = second?.created_versions ?? [];
      expect(old?.identifier).toBe(before?.identifier);
      expect(before?.system_period.end).toBe('');
      expect(old?.system_period).toEqual({
        start: before?.system_period.start,
        end: next?.system_period.start,
      });
      expect(next?.effective_period).toEqual(second?.effective_period);
    }
  });
});

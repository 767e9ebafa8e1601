import { describe, expect, it } from 'vitest';
import type { PayloadOf } from '../../../catalogue/index.js';
import { london } from '../../../emulator/engine/calendar.js';
import { dayOf, hour } from '../../../emulator/engine/time.js';
import { energyBefore } from '../../../emulator/world/energy/energy.js';
import { gasMeter } from '../../../emulator/world/industry/meters.js';
import { presentSupplies } from '../../../emulator/world/supplies.js';
import { openHousehold, playInOneHousehold } from './same-household.js';
import { play } from './play.js';
import { clock } from './clock.js';
import { byCell, of, only, sequences } from './payloads.js';

type Disputed = PayloadOf<'meterpoint.gas.disputed_closing_reading.started.by_us', 'v1'>;

const closing = 'meterpoint.gas.disputed_closing_reading';
const closingDisputes = (startedBy: string, outcome: string) =>
  play('gas-disputed-closing', { seed: 2, instances: 20, branches: { 'started-by': startedBy, outcome } });

describe('gas-disputed-closing', () => {
  it.each([
    ['us', 'accepted', ['started.by_us', 'accepted.other_supplier']],
    ['us', 'queried', ['started.by_us', 'accepted.other_supplier']],
    ['us', 'alternative', ['started.by_us', 'alternative_proposed.other_supplier', 'accepted.by_us']],
    ['them', 'accepted', ['started.other_supplier', 'accepted.by_us']],
    ['them', 'queried', ['started.other_supplier', 'queried.by_us', 'accepted.by_us']],
    [
      'them',
      'alternative',
      ['started.other_supplier', 'alternative_proposed.by_us', 'accepted.other_supplier'],
    ],
  ])('started by %s and %s takes these moves', async (startedBy, outcome, moves) => {
    const sent = new Set(sequences(await closingDisputes(startedBy, outcome)).map(String));
    expect(sent).toEqual(new Set([moves.map((move) => `${closing}.${move}`).join()]));
  });

  it('concerns one reading of one meter under one reference', async () => {
    const references = new Set<number>();
    for (const cell of byCell(await closingDisputes('them', 'alternative'))) {
      const payloads = cell.map(({ envelope }) => envelope.payload as Disputed);
      const constant = payloads.map((payload) => [
        payload.reference_number,
        payload.mprn,
        payload.meter_serial,
        payload.meter_digits,
        payload.transfer_date,
        payload.disputed_reading,
        payload.initiating_organisation,
        payload.recipient_organisation,
        payload.postcode,
        payload.is_gain,
      ]);
      expect(new Set(constant.map(String)).size).toBe(1);
      references.add(payloads[0]!.reference_number);
      expect(payloads[0]!.is_gain).toBe(false);
      expect(payloads[0]!.recipient_organisation).toBe('EMU');
    }
    expect(references.size).toBe(20);
  });

  it('disputes possible readings, at first 50 to 900 units apart', async () => {
    for (const cell of byCell(await closingDisputes('us', 'alternative'))) {
      const [started, alternative, accepted] = cell.map(({ envelope }) => envelope.payload as Disputed);
      const distance = Math.abs(started!.disputed_reading - started!.proposed_reading);
      expect(distance).toBeGreaterThanOrEqual(50);
      expect(distance).toBeLessThanOrEqual(900);
      for (const { disputed_reading, proposed_reading, meter_digits } of [started!, alternative!]) {
        for (const reading of [disputed_reading, proposed_reading]) {
          expect(reading).toBeGreaterThanOrEqual(0);
          expect(reading).toBeLessThan(10 ** meter_digits);
        }
      }
      expect(alternative!.proposed_reading).not.toBe(started!.proposed_reading);
      expect(accepted!.proposed_reading).toBe(alternative!.proposed_reading);
      expect([started, alternative, accepted].map((each) => each!.status_response)).toEqual([
        'OPEN',
        'ALTERNATIVE_PROPOSED',
        'AGREED',
      ]);
      expect(accepted!.rejection_acceptance_code).toBe('A02');
    }
  });

  it('disputes no actual reading as estimated, and comments on the cause', async () => {
    const words: Record<string, string> = {
      estimated: 'ESTIMATED_READ',
      transposed: 'TRANSPOSED_DIGITS',
      'after the transfer': 'LATE_READ',
      unit: 'IMPERIAL_METRIC',
      swapped: 'WRONG_METER',
    };
    for (const { envelope } of await play('gas-disputed-closing', { seed: 2, instances: 100 })) {
      const {
        root_cause: cause,
        disputed_reading_is_actual: isActual,
        comments,
      } = envelope.payload as Disputed;
      expect(cause === 'ESTIMATED_READ' && isActual).toBe(false);
      const word = Object.keys(words).find((each) => comments.includes(each));
      if (word !== undefined) expect(words[word]).toBe(cause);
    }
  });

  it('sends events only in office hours', async () => {
    for (const { at } of await closingDisputes('them', 'queried')) {
      const { hour, weekday } = clock(at);
      expect(weekday).toBeLessThanOrEqual(5);
      expect(hour).toBeGreaterThanOrEqual(8);
      expect(hour).toBeLessThan(18);
    }
  });
});

describe('gas-disputed-opening', () => {
  it('replaces the charge if it is corrected', async () => {
    const disputes = (rebill: string) =>
      play('gas-disputed-opening', { seed: 2, instances: 20, branches: { rebill } });
    const corrected = await disputes('corrected');
    for (const cell of byCell(corrected)) {
      const [removed] = of(cell, 'billing.ledger.entry_removed', 'v2');
      const [posted] = of(cell, 'billing.ledger.entry_posted', 'v2');
      // A customer who joined after the bill day has no charge yet.
      if (removed === undefined) continue;
      expect(removed.payload.entry).toMatchObject({ is_charge: true, source_reason: 'REBILL' });
      expect(posted!.payload.entry.is_charge).toBe(true);
      expect(posted!.payload.entry.id).toBeGreaterThan(removed.payload.entry.id);
      expect(posted!.payload.ledger.number).toBe(removed.payload.ledger.number);
      expect(clock(removed.at).hour).toBeLessThan(5);
    }
    expect(sequences(await disputes('unchanged')).every((types) => types.length === 1)).toBe(true);
  });

  it('ends with the acceptance of the supplier that did not start it', async () => {
    const parties = async (outcome: string) =>
      (await play('gas-disputed-opening', { seed: 2, instances: 10, branches: { outcome } }))
        .filter(({ envelope }) => envelope.event_type.includes('disputed_opening'))
        .map(({ envelope }) => (envelope.payload as Disputed).initiating_organisation);
    expect(new Set(await parties('other-accepts'))).toEqual(new Set(['EMU']));
    expect(await parties('we-accept')).not.toContain('EMU');
  });
});

describe('gas-mam-and-backfill', () => {
  it('appoints the next manager after the last day of the present one', async () => {
    const emissions = await play('gas-mam-and-backfill', {
      seed: 2,
      instances: 30,
      branches: { work: 'asset-manager' },
    });
    for (const cell of byCell(emissions)) {
      const [change] = of(cell, 'meterpoint.gas.change_of_mam.requested', 'v1');
      const [last] = of(cell, 'meterpoint.gas.deappoint_mam.requested', 'v1');
      const [next] = of(cell, 'meterpoint.gas.appoint_mam.requested', 'v1');
      expect(last!.payload.mam_to_deappoint).toBe(change!.payload.current_mam);
      expect(next!.payload.mam_to_appoint).toBe(change!.payload.mam_to_appoint);
      expect(change!.payload.mam_to_appoint).not.toBe(change!.payload.current_mam);
      const from = Date.parse(change!.payload.effective_from_date);
      expect(from - Date.parse(last!.payload.effective_to_date)).toBe(24 * 3_600_000);
      expect(next!.at).toBeLessThan(from);
      expect(last!.payload).toMatchObject({ is_cos_loss: false, new_supplier: '' });
    }
    expect(byCell(emissions)).toHaveLength(30);
  });

  it('sends the same facts about the supply point in a backfill', async () => {
    const branches = { work: 'backfill', api: 'backfilled' };
    for (const cell of byCell(await play('gas-mam-and-backfill', { seed: 2, instances: 30, branches }))) {
      const [all] = of(cell, 'meterpoint.gas.backfill', 'v1');
      const [part] = of(cell, 'meterpoint.gas.api_backfill', 'v1');
      expect(part!.payload.supply_end_date).toBe('');
      const { supply_end_date: _, ...rest } = part!.payload;
      expect(all!.payload).toMatchObject(rest);
      expect(all!.payload.postcode).toMatch(/^X[A-HJ-NP]\d{1,2} \d[ABD-HJLNP-UW-Z]{2}$/);
    }
  });
});

describe('meter-data-quality', () => {
  it('keeps its facts until its cancellation, with the source in v2', async () => {
    const emissions = await play('meter-data-quality', {
      seed: 2,
      instances: 30,
      branches: { resolution: 'cancelled' },
    });
    for (const cell of byCell(emissions)) {
      const [opened] = of(cell, 'meter_data_quality.resolution_requested', 'v1');
      const [v1] = of(cell, 'meter_data_quality.resolution_cancelled', 'v1');
      const [v2] = of(cell, 'meter_data_quality.resolution_cancelled', 'v2');
      expect(v1!.payload).toEqual({ ...opened!.payload, issue_status: 'CANCELLED' });
      const { source, ...rest } = v2!.payload;
      expect(rest).toEqual(v1!.payload);
      expect(source).toMatch(/^(AUTOMATIC|SUPPORT_USER)$/);
      expect(opened!.payload.period_start < opened!.payload.period_end).toBe(true);
      expect(clock(opened!.at).hour).toBeLessThan(5);
      const isGas = opened!.payload.market_supply_point_id.length === 10;
      expect(opened!.payload.utility).toBe(isGas ? 'GAS' : 'ELECTRICITY');
    }
  });

  it('reports half-hourly readings of smart gas meters only, and no peaks of gas', () => {
    const at = london.instantOf(dayOf(2026, 3, 4), 2 * hour);
    const types = new Set<string>();
    for (let cell = 1; cell <= 200; cell++) {
      const opened = openHousehold(at, cell, 'dual-fuel');
      const events = playInOneHousehold([{ at, scenario: 'meter-data-quality' }], { cell, opened });
      const { payload } = only(events, 'meter_data_quality.resolution_requested', 'v1');
      const gas = presentSupplies(opened, 'GBR_GAS').find(
        ({ supplyPoint }) => supplyPoint.identifier === payload.market_supply_point_id,
      );
      if (gas === undefined) continue;
      const mechanism = /^S/.test(gasMeter(opened, gas.supplyPoint).mechanism) ? 'smart' : 'plain';
      types.add(`${mechanism} ${payload.reading_type}`);
    }
    expect([...types].sort()).toEqual(['plain ACCUMULATION', 'smart ACCUMULATION', 'smart INTERVAL']);
  });
});

describe('energisation-and-service', () => {
  it('removes the meter of the energised or de-energised supply point', async () => {
    const emissions = await play('energisation-and-service', {
      seed: 2,
      instances: 30,
      branches: { meter: 'deactivated' },
    });
    const serials = new Set<string>();
    for (const cell of byCell(emissions)) {
      const [switched] = of(cell, 'industry.electricity.change_of_energisation.unsolicited_message', 'v1');
      const [removed] = of(cell, 'industry.electricity.change_of_service.meter_deactivated', 'v1');
      expect(removed!.payload.mpan).toBe(switched!.payload.mpan);
      expect(removed!.payload.effective_from >= switched!.payload.effective_from).toBe(true);
      expect(removed!.payload.serial_number).toMatch(/^\d{2}[EKLS]\d{7}$/);
      serials.add(removed!.payload.serial_number);
    }
    expect(serials.size).toBe(30);
  });
});

describe('export-installation', () => {
  it('registers its own MPAN in the region, then creates an agreement', async () => {
    for (const cell of byCell(await play('export-installation', { seed: 2, instances: 30 }))) {
      const [v1] = of(cell, 'industry.electricity.export_installation.validated', 'v1');
      const [v2] = of(cell, 'industry.electricity.export_installation.validated', 'v2');
      const [registered] = of(cell, 'meterpoint.elec.cos_gain.registration.requested', 'v1');
      const [agreed] = of(cell, 'agreement.created', 'v1');
      const { export_mpan, ...rest } = v2!.payload;
      expect(rest).toEqual(v1!.payload);
      expect(export_mpan.slice(0, 2)).toBe(rest.import_mpan.slice(0, 2));
      expect(export_mpan).not.toBe(rest.import_mpan);
      expect(registered!.payload).toMatchObject({ mpan: export_mpan, is_export: true, is_migrated: false });
      expect(agreed!.payload.product_code).toBe(rest.product_code);
      expect(agreed!.payload.product_code).toMatch(/^(HARBOUR-)?OUTGOING-/);
    }
  });
});

describe('texas-market-status', () => {
  it("changes from pending to active to inactive in Chicago's office hours", async () => {
    const emissions = await play('texas-market-status', {
      seed: 2,
      instances: 60,
      branches: { later: 'leaves' },
    });
    const identifiers = new Set<string>();
    for (const cell of byCell(emissions)) {
      const changes = of(cell, 'meter_point.market.status.changed', 'v1');
      expect(changes.map(({ payload }) => payload.meter_point_account_status.status)).toEqual([
        'PENDING',
        'ACTIVE',
        'INACTIVE',
      ]);
      const points = changes.map(({ payload }) => payload.electricity_meter_point);
      const [first] = points;
      for (const { esi_id, meter_serial_number } of points) {
        expect(esi_id).toBe(first!.esi_id);
        expect(meter_serial_number).toBe(first!.meter_serial_number);
      }
      expect(first!.esi_id).toMatch(
        first!.service_provider === 'CENTERPOINT' ? /^1008901\d{15}$/ : /^10\d{15}$/,
      );
      identifiers.add(first!.esi_id);
      for (const { at, payload } of changes) {
        const { hour, weekday } = clock(at, 'America/Chicago');
        expect(weekday).toBeLessThanOrEqual(5);
        expect(hour).toBeGreaterThanOrEqual(8);
        expect(hour).toBeLessThan(17);
        expect(Date.parse(payload.meter_point_account_status.effective_at)).toBeLessThanOrEqual(at);
      }
    }
    expect(identifiers.size).toBe(60);
  });
});

describe('energisation-and-service', () => {
  it('uses no energy while a supply point is switched off', () => {
    let switched = 0;
    for (let cell = 1; cell <= 20; cell++) {
      const at = london.instantOf(dayOf(2026, 3, 4), 10 * hour);
      const opened = openHousehold(at, cell, 'household');
      const branches = { meter: 'kept', power: 'restored' };
      const events = playInOneHousehold([{ at, scenario: 'energisation-and-service' }], {
        cell,
        branches,
        opened,
      });
      const [supply] = presentSupplies(opened, 'GBR_ELECTRICITY');
      if (supply === undefined) continue;
      const messages = of(events, 'industry.electricity.change_of_energisation.unsolicited_message', 'v1');
      expect(messages.map(({ payload }) => payload.energisation_status)).toEqual(['D', 'E']);
      const [off = 0, on = 0] = messages.map(
        ({ payload }) => Date.parse(payload.effective_from) / (24 * hour),
      );
      switched++;
      const before = (date: number) =>
        energyBefore(opened, supply.supplyPoint, date).reduce((sum, each) => sum + each, 0);
      const used = (from: number, to: number) => before(to) - before(from);
      expect(used(off, on)).toBe(0);
      expect(used(off - 1, off)).toBeGreaterThan(0);
      expect(used(on, on + 1)).toBeGreaterThan(0);
      expect(used(off - 1, on + 1)).toBe(used(off - 1, off) + used(on, on + 1));
    }
    expect(switched).toBeGreaterThan(15);
  });
});

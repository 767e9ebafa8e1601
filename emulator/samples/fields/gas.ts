import { disputeComments, disputeCriteria, rootCauses } from '../../world/vocabulary/disputes.js';
import {
  cohorts,
  fitterInstructions,
  gasMeterLocations,
  gasMeterOwners,
  gasMeterStatuses,
  meterLinkCodes,
  standardCorrectionFactor,
} from '../../world/vocabulary/meters.js';
import { disputeContact, meterAssetManagers, ourself } from '../../world/vocabulary/participants.js';
import { dispute, otherGasSupplier } from '../facts/dispute.js';
import { type GasMeter, gasMeter } from '../facts/gas-meter.js';
import { address, gas as gasSupply, independentMprn } from '../facts/household.js';
import { date, dateWithin } from '../facts/times.js';
import type { Scene, Subject } from '../subject.js';
import type { Area } from './area.js';

/** Gas meters and who looks after them, and arguments about their readings. */
export const gas: Area = {
  fields: {
    mprn: (s) => gasSupply(s).identifier,
    supplier: () => ourself.gas,
    new_supplier: otherGasSupplier,
    nomination_shipper_ref: (s) => String(s.random.integer(1_000_000_000, 9_999_999_999)),
    is_domestic: (s) => s.random.chance(0.97),
    is_cos_loss: () => true,
    meter_exists: () => true,
    cohort: (s) => s.random.weighted(cohorts),

    mam_to_appoint: (s) => managers(s).next,
    current_mam: (s) => managers(s).current,
    mam_to_deappoint: (s) => managers(s).current,
    previous_mam: (s) => managers(s).current,
    force_appointment: (s) => s.random.chance(0.05),
    effective_from_date: dateWithin(2, 14),
    effective_to_date: dateWithin(0, 10),

    meter_serial_number: (s) => gasMeter(s).serial,
    meter_serial: (s) => gasMeter(s).serial,
    meter_digits: (s) => gasMeter(s).digits,
    meter_mechanism: (s) => gasMeter(s).mechanism,
    meter_type: (s) => gasMeter(s).type,
    meter_is_imperial: (s) => gasMeter(s).isImperial,
    meter_imperial_metric_indicator: (s) => (gasMeter(s).isImperial ? 'I' : 'M'),
    // One unit of the register is one unit of volume: cubic metres, or hundreds of cubic feet.
    meter_reading_factor: () => 1,
    meter_link_code: (s) => s.random.weighted(meterLinkCodes),
    owner: (s) => (s.type === 'object' ? ownerOf(gasMeter(s)) : gasMeter(s).owner),
    model: (s) => gasMeter(s).model,
    manufacturer: (s) => gasMeter(s).manufacturer,
    manufactured_year: (s) => gasMeter(s).year,
    location: (s) => gasMeter(s).location,
    location_description: (s) => gasMeterLocations[gasMeter(s).location],
    instructions: (s) => s.random.pick(fitterInstructions),
    pulse_value: (s) => gasMeter(s).pulse,
    correction_factor: () => standardCorrectionFactor,
    bypass_fitted: (s) => s.random.chance(0.001),
    collar_fitted: (s) => s.random.chance(0.03),
    last_inspection_on: dateWithin(-900, -30),
    last_reading: (s) => gasMeter(s).reading,
    last_reading_on: dateWithin(-28, -1),

    building_name: (s) => address(s).building,
    building_number: (s) => address(s).number,
    house_name_number: (s) => address(s).number,
    sub_building_name: () => '',
    dependent_street: () => '',
    principal_street: (s) => address(s).street,
    principle_street: (s) => address(s).street,
    double_dependent_locality: () => '',
    dependent_locality: (s) => address(s).locality,
    post_town: (s) => address(s).town,
    county: (s) => address(s).county,
    postcode: (s) => address(s).postcode,

    reference_number: (s) => s.integer('dispute'),
    transfer_date: dateWithin(-60, -5),
    initiating_organisation: (s) => dispute(s).initiator,
    recipient_organisation: (s) => dispute(s).recipient,
    io_contact_name: () => disputeContact,
    ro_contact_name: () => disputeContact,
    disputed_reading: (s) => dispute(s).disputed,
    disputed_reading_is_actual: (s) => dispute(s).disputedIsActual,
    proposed_reading: (s) => dispute(s).proposed,
    proposed_reading_is_actual: (s) => dispute(s).proposedIsActual,
    status_response: (s) => dispute(s).status,
    root_cause: (s) => s.once('root cause', (random) => random.weighted(rootCauses)),
    rejection_acceptance_code: (s) => dispute(s).code,
    criteria: (s) => s.random.weighted(disputeCriteria),
    comments: (s) => s.random.pick(disputeComments),
    is_gain: (s) => dispute(s).isGain,
  },
  events: {
    'meterpoint.gas.*': { status: (s) => s.random.weighted(gasMeterStatuses) },
    'meterpoint.gas.cos_gain.registration.confirmed': {
      mprn: confirmedMprn,
      is_igt_mam: (s) => /^7[4-7]/.test(confirmedMprn(s)),
    },
    'meterpoint.gas.deappoint_mam.requested': { effective_to_date: (s) => date(s, 1) },
  },
};

/** A few homes are in the networks of independent transporters. */
function confirmedMprn(scene: Scene): string {
  const wanted = scene.pinned('mprn');
  if (typeof wanted === 'string') return wanted;
  const isIndependent = scene.once('independent transporter', (random) => random.chance(0.05));
  return isIndependent ? independentMprn(scene) : gasSupply(scene).identifier;
}

function managers(subject: Subject): { current: string; next: string } {
  return subject.once('meter asset managers', (random) => {
    const current = random.pick(meterAssetManagers);
    return { current, next: random.pick(meterAssetManagers.filter((other) => other !== current)) };
  });
}

function ownerOf({ owner }: GasMeter): { code: string; name: string } {
  return { code: owner, name: gasMeterOwners[owner].name };
}

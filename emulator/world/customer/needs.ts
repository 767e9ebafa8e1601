/**
 * Needs codes of the Priority Services Register, shared by electricity and gas, with the likelihood of each. The
 * descriptions are fictional. Temporary needs (32 to 34) are left out, because events name no end of a need.
 */
export const needs = {
  '01': { description: 'Nebuliser or apnoea monitor at home', weight: 0.01 },
  '02': { description: 'Heart or lung machine, or ventilator', weight: 0.005 },
  '03': { description: 'Dialysis, feeding pump or automated medication', weight: 0.005 },
  '04': { description: 'Oxygen concentrator', weight: 0.01 },
  '08': { description: 'Blind', weight: 0.01 },
  '09': { description: 'Partially sighted', weight: 0.03 },
  '12': { description: 'Stair lift, hoist or electric bed', weight: 0.03 },
  '14': { description: 'Of pensionable age', weight: 0.35 },
  '15': { description: 'Physical impairment', weight: 0.06 },
  '17': { description: 'Cannot communicate in English', weight: 0.01 },
  '18': { description: 'Developmental condition', weight: 0.02 },
  '19': { description: 'Cannot get to the door', weight: 0.01 },
  '20': { description: 'Dementia or cognitive impairment', weight: 0.02 },
  '22': { description: 'Chronic or serious illness', weight: 0.15 },
  '23': { description: 'Medically dependent on showering or bathing', weight: 0.005 },
  '24': { description: 'Careline or telecare system', weight: 0.02 },
  '25': { description: 'Medicine that must be refrigerated', weight: 0.03 },
  '26': { description: 'Uses oxygen', weight: 0.005 },
  '27': { description: 'Poor sense of smell', weight: 0.005 },
  '28': { description: 'Restricted hand movement', weight: 0.02 },
  '29': { description: 'Child under five at home', weight: 0.12 },
  '30': { description: 'Mental health condition', weight: 0.1 },
  '31': { description: 'Prefers somebody else to be present', weight: 0.01 },
  '35': { description: 'Hard of hearing or deaf', weight: 0.03 },
  '36': { description: 'Speech difficulty', weight: 0.01 },
  '37': { description: 'Dependent on a water supply', weight: 0.005 },
} as const;
export type NeedsCode = keyof typeof needs;

/** Needs codes of the Priority Services Register, the same for gas and electricity, by how common they are. */
export const needsCodes = {
  '01': 0.01,
  '02': 0.01,
  '03': 0.01,
  '04': 0.02,
  '08': 0.01,
  '09': 0.02,
  '12': 0.02,
  '14': 0.35,
  '15': 0.06,
  '17': 0.02,
  '18': 0.02,
  '19': 0.03,
  '20': 0.02,
  '22': 0.15,
  '24': 0.01,
  '25': 0.02,
  '28': 0.02,
  '29': 0.12,
  '30': 0.1,
  '35': 0.02,
} as const;

export type NeedsCode = keyof typeof needsCodes;

/** What each code means, in the platform's words. */
export const needs: Readonly<Record<NeedsCode, string>> = {
  '01': 'Nebuliser or apnoea monitor',
  '02': 'Heart or lung machine, or ventilator',
  '03': 'Dialysis or feeding pump',
  '04': 'Oxygen concentrator',
  '08': 'Blind',
  '09': 'Partially sighted',
  '12': 'Stair lift, hoist or electric bed',
  '14': 'Of pensionable age',
  '15': 'Physical impairment',
  '17': 'Does not speak English',
  '18': 'Developmental condition',
  '19': 'Unable to answer the door',
  '20': 'Dementia',
  '22': 'Chronic or serious illness',
  '24': 'Careline or telecare system',
  '25': 'Medicine that needs refrigeration',
  '28': 'Restricted hand movement',
  '29': 'Child under five in the home',
  '30': 'Mental health condition',
  '35': 'Hearing impairment',
};

/** How a document can be made readable for whoever cannot read small print. */
export const accessibleFormats = { LARGE_PRINT: 0.7, BRAILLE: 0.15, AUDIO: 0.15 } as const;

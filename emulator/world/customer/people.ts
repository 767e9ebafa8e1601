import type { RandomStream } from '../../engine/random.js';

/** The name of a fictional person. */
export interface PersonName {
  readonly given: string;
  readonly family: string;
}

export function personName(random: RandomStream): PersonName {
  return { given: random.pick(givenNames), family: random.pick(familyNames) };
}

/** Returns an address in a domain reserved for examples (RFC 2606). A unique `tag` makes it unique. */
export function emailAddress({ given, family }: PersonName, tag: string, random: RandomStream): string {
  const domain = random.weighted(domains);
  return `${given}.${family}+${tag}@${domain}`.toLowerCase();
}

const domains = { 'example.com': 0.7, 'example.org': 0.2, 'example.net': 0.1 };

const givenNames = (
  'Ada Alun Amara Anwen Beth Callum Cerys Dev Ewan Farah Grace Hamish Imogen Ines Jago Kofi ' +
  'Leila Maeve Mina Nia Omar Owen Priya Rhys Robin Rosa Sian Tariq Una Wren Yusuf Zofia'
).split(' ');

const familyNames = (
  'Ashdown Bexley Calder Dunmore Elphick Fairley Garrow Hallam Iverson Jarrold Kestrel Larkin ' +
  'Marlowe Netherby Okafor Penhale Quill Rowntree Selby Tamblyn Ullman Varley Wickham Yarrow'
).split(' ');

/** Whether `npm run test:fuzz` plays this file. It finds the files that have more for it by their import of this one. */
export const playsAll = process.env['BUSBAR_ALL_CASES'] !== undefined;

/** The number of cases that a test plays: `few` in `npm test`, `all` in `npm run test:fuzz`. */
export function cases(few: number, all: number): number {
  return playsAll ? all : few;
}

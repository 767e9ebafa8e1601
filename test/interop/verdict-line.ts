/** Returns a line of a client's output, which `main.ts` counts. */
export function verdictLine(name: string, holds: boolean, otherwise: string): string {
  return holds ? `ok ${name}` : `not ok ${name}: ${otherwise}`;
}

import type { Exit } from './process.js';

/** Returns the end of a process in words: `left with code 1`. */
export function explainExit({ code, signal }: Pick<Exit, 'code' | 'signal'>): string {
  return signal === null ? `left with code ${code ?? '?'}` : `was ended by ${signal}`;
}

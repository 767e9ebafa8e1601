import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes that this process refers to. Unlike its resident size they do not depend on when V8 collects garbage. */
export function liveMemory(): { readonly heap: number; readonly withBuffers: number } {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed, withBuffers: heapUsed + external };
}

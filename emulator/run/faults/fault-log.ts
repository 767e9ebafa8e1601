import type { LineWriter } from '../line-writer.js';
import type { FaultParameters } from './corrupt.js';
import type { FaultName } from './settings.js';

/** An injected fault: one line of the fault log. */
export interface InjectedFault {
  readonly event: string;
  readonly fault: FaultName;
  readonly parameters: FaultParameters;
}

/** List of injected faults. */
export type FaultLog = ReturnType<typeof fileFaultLog>;

/** Characters per write. */
const chunk = 64 * 1024;

/** Returns a fault log that writes one JSON object per line: `{"event","fault","parameters"}`. */
export function fileFaultLog(file: LineWriter) {
  let text = '';
  let isUsed = false;
  const write = async () => {
    const lines = Buffer.from(text);
    text = '';
    await file.write(lines);
  };
  return {
    add(fault: InjectedFault) {
      text += `${JSON.stringify(fault)}\n`;
    },
    /** Writes faults if there are many, or all of them. Returns a promise if the caller must wait. */
    flush(all = false) {
      isUsed = true;
      return all || text.length >= chunk ? write() : undefined;
    },
    /** Writes the rest. The log of an earlier run stays if this one did not start. */
    async close() {
      if (isUsed) await write();
      await file.close();
    },
  };
}

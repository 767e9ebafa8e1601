import type { LineWriter } from '../line-writer.js';
import type { InjectedFault, FaultLog } from './inject.js';

/** Characters per write. */
const chunk = 64 * 1024;

/** Returns a fault log that writes one JSON object per line: `{"event","fault","parameters"}`. */
export function fileFaultLog(file: LineWriter): FaultLog {
  let text = '';
  const write = async () => {
    const lines = Buffer.from(text);
    text = '';
    if (lines.length > 0) await file.write(lines);
  };
  return {
    add(fault: InjectedFault) {
      text += `${JSON.stringify(fault)}\n`;
    },
    flush: (all = false) => (all || text.length >= chunk ? write() : undefined),
    async close() {
      await write();
      await file.close();
    },
  };
}

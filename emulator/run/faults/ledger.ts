import type { LineWriter } from '../line-writer.js';
import type { InjectedFault, Ledger } from './inject.js';

/** Characters that are written together. */
const chunk = 64 * 1024;

/** A ledger of one JSON object per line: `{"event","fault","parameters"}`. */
export function fileLedger(file: LineWriter): Ledger {
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

export interface Wait {
  /** Starts the wait again. */
  restart(): void;
  cancel(): void;
}

const parts = 40;

/**
 * Calls `due` after this process has run for `delay` milliseconds. If a busy machine stops the process, at most one part
 * of the wait passes meanwhile.
 */
export function waitRunning(delay: number, due: () => void): Wait {
  let left = parts;
  let timer = setTimeout(pass, delay / parts);
  function pass(): void {
    left--;
    if (left === 0) due();
    else timer = setTimeout(pass, delay / parts);
  }
  return {
    restart() {
      left = parts;
    },
    cancel() {
      clearTimeout(timer);
    },
  };
}

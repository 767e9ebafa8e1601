export interface Wait {
  /** Begins to count again. */
  restart(): void;
  cancel(): void;
}

/** A wait is counted in so many parts. */
const parts = 40;

/**
 * Calls `due` after `delay` milliseconds in which this process runs. While a busy machine stops the process, at most one
 * part of the wait passes.
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

export interface Wait {
  /** Starts the wait again. */
  restart(): void;
  /** Lets the process end meanwhile. */
  pause(): void;
  cancel(): void;
}

const parts = 40;

/**
 * Calls `due` after this process has run for `delay` milliseconds. If a busy machine stops the process, at most one part
 * of the wait passes meanwhile.
 */
export function waitRunning(delay: number, due: () => void): Wait {
  let left = parts;
  const timer = setTimeout(() => {
    left--;
    if (left === 0) due();
    else timer.refresh();
  }, delay / parts);
  return {
    restart() {
      if (left === 0) timer.refresh();
      left = parts;
      timer.ref();
    },
    pause: () => timer.unref(),
    cancel() {
      clearTimeout(timer);
    },
  };
}

let isHidden = false;

/** Prints no warning about the negative delay of a timer of kafkajs (Node 24): users cannot prevent it. */
export function hideTimerWarnings(): void {
  if (isHidden) return;
  isHidden = true;
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'TimeoutNegativeWarning') for (const listener of listeners) listener(warning);
  });
}

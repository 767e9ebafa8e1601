/** Plays a house move in the emulator, and handles its events. The emulator runs until Ctrl-C. */
import { BusbarError } from 'busbar';
import { startEmulator } from 'busbar-emulator';

async function dev() {
  const emulator = await startEmulator({ scenario: 'house-move', run: { waitForConsumer: 'bill-counter' } });
  console.log(`Dashboard: ${emulator.pageUrl}`);
  const setExitCode = (_signal: string, number: number) => (process.exitCode = 128 + number);
  try {
    const { finished } = await import('./main.ts');
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, setExitCode);
    await finished;
  } finally {
    await emulator.stop();
  }
}

dev().catch((error: unknown) => {
  console.error(error instanceof BusbarError ? error.message : error);
  process.exitCode = 1;
});

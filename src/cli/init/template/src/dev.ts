/** Plays a house move in the emulator, and handles its events. The emulator runs until Ctrl-C. */
import { startEmulator } from 'busbar-emulator';

async function dev() {
  const emulator = await startEmulator({ scenario: 'house-move', run: { waitForConsumer: 'bill-counter' } });
  console.log(`Dashboard: ${emulator.pageUrl}`);
  const { finished } = await import('./main.ts');
  const stop = async (_signal: string, number: number) => {
    await finished;
    await emulator.stop();
    process.exitCode = 128 + number;
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
}

dev().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

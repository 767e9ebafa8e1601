/** Plays a house move in the emulator, and handles its events. */
import { startEmulator } from 'busbar-emulator';

async function dev() {
  const emulator = await startEmulator({ scenario: 'house-move', run: { waitForConsumer: 'bill-counter' } });
  console.log(`Dashboard: ${emulator.pageUrl}`);
  process.once('SIGINT', () => {
    process.exitCode = 130;
    void emulator.stop();
  });
  await import('./main.ts');
}

void dev();

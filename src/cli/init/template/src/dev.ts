/** Plays a house move in the emulator, and handles its events and later ones until Ctrl-C. */
import { BusbarError } from 'busbar';
import { startEmulator } from 'busbar-emulator';

const options = { run: { waitForConsumer: 'bill-counter' } };

async function dev() {
  const emulator = await startEmulator(options).catch((error: unknown) => {
    if (!(error instanceof BusbarError && error.code === 'port-in-use')) throw error;
    console.log('Another program uses port 4100 or 9092. These ports are free:');
    return startEmulator({ ...options, kafka: { port: 0 }, http: { port: 0 } });
  });
  console.log(`Dashboard: ${emulator.pageUrl}\nKafka: ${emulator.bootstrapServers}`);
  process.env.STREAM_URL = emulator.streamUrl;
  process.env.KAFKA_BROKERS = emulator.bootstrapServers;
  try {
    const { finished } = await import('./main.ts');
    for (const signal of ['SIGINT', 'SIGTERM']) {
      process.once(signal, (_signal: string, number: number) => {
        process.exitCode = 128 + number;
        // While the consumer connects, nothing else would end the process.
        if (process.listenerCount(signal) === 0) process.exit();
      });
    }
    emulator.start('house-move');
    await Promise.race([emulator.idle(), finished]);
    if (process.exitCode === undefined) {
      console.log('The house move is over. Press Ctrl-C to stop the emulator.');
    }
    await finished;
  } finally {
    await emulator.stop();
  }
}

dev().catch((error: unknown) => {
  console.error(error instanceof BusbarError ? error.message : error);
  process.exitCode = 1;
});

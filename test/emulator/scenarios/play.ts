import { type OutgoingEvent, type EmulatorOptions, startEmulator } from '../../../emulator/index.js';
import { silentLogger } from '../../../src/base/logger.js';

/** Everything that a run of the scenario sends. */
export async function play(
  scenario: EmulatorOptions['scenario'],
  options: Omit<EmulatorOptions, 'scenario' | 'sinks' | 'speed'> = {},
): Promise<OutgoingEvent[]> {
  const emissions: OutgoingEvent[] = [];
  const sink = {
    name: 'test',
    write: (batch: readonly OutgoingEvent[]) => void emissions.push(...batch),
    end: () => undefined,
    close: () => Promise.resolve(),
  };
  const emulator = await startEmulator({
    scenario,
    speed: 'instant',
    sinks: [sink],
    logger: silentLogger,
    ...options,
  });
  await emulator.finished;
  await emulator.stop();
  return emissions;
}

/** A run as a person reads it: when, to whom, what, with versions of one occurrence on one line. */
export function retell(emissions: readonly OutgoingEvent[]): string {
  const lines: string[] = [];
  let previous: string | undefined;
  for (const { envelope, headers, key } of emissions) {
    if (headers['occurrence-id'] === previous) lines.push(`${lines.pop() ?? ''} ${envelope.version}`);
    else
      lines.push(
        `${envelope.occurred_at.slice(0, 19).replace('T', ' ')}  ${key}  ${envelope.event_type} ${envelope.version}`,
      );
    previous = headers['occurrence-id'];
  }
  return `${lines.join('\n')}\n`;
}

import { fileURLToPath } from 'node:url';
import { apis } from '../../emulator/broker/apis/all.js';
import { run } from './command.js';
import { lastLine, provideJars } from './provide.js';
import { kafkaVersions } from './versions.js';

/**
 * Returns the errors of Apache Kafka, one per line (`error NOT_COORDINATOR 16`), then the messages of every API and
 * version of the broker as Apache Kafka writes them: `Fetch request full 12 HEX`. The old release writes the versions that the new one dropped. A line without a version of
 * its own is like the version before, so it is left out.
 *
 * @throws {Unavailable} without Java or jars
 */
export async function goldenMessages(): Promise<string> {
  const hexOf = new Map<string, string>();
  const errors = new Set<string>();
  for (const release of [kafkaVersions.client, kafkaVersions.old]) {
    const jars = await provideJars('kafka-clients', release);
    const program = fileURLToPath(new URL('java/GoldenMessages.java', import.meta.url));
    const wanted = [...apis.values()]
      .filter(({ key, minVersion }) => !hexOf.has(`${key} request full ${minVersion}`))
      .map(({ key, minVersion, maxVersion }) => `${key}:${minVersion}-${maxVersion}`);
    const { code, output } = await run('java', ['-cp', `${jars}/*`, program, ...wanted], {
      timeoutMs: 120_000,
    });
    if (code !== 0) throw new Error(`Kafka ${release} wrote no messages: ${lastLine(output)}`);
    for (const line of output.trim().split('\n')) {
      if (line.startsWith('error ')) {
        errors.add(line);
        continue;
      }
      const [key, version, kind, fill, hex = ''] = line.split(' ');
      hexOf.set([key, kind, fill, version].join(' '), hex);
    }
  }
  const lines = [...errors];
  for (const { key, name, minVersion, maxVersion } of apis.values()) {
    for (const message of ['request full', 'request least', 'response full', 'response least']) {
      let before: string | undefined;
      for (let version = minVersion; version <= maxVersion; version += 1) {
        const hex = hexOf.get(`${key} ${message} ${version}`);
        if (hex === undefined) throw new Error(`Kafka has no ${name} ${message} of version ${version}.`);
        if (hex !== before) lines.push(`${name} ${message} ${version} ${hex}`.trim());
        before = hex;
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

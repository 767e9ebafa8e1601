import { languages } from '../../test/known-answers/languages.js';
import { Unavailable } from '../../test/interop/provide.js';
import type { Measured } from '../measure.js';

/** Seconds that all checks of a correct service may take. */
const targets: Readonly<Record<string, number>> = { python: 30, go: 20, java: 45 };

/** Verifies a correct service of each language with all checks, over the wire. */
export async function* ofServices(): AsyncIterable<Measured> {
  for (const [name, target] of Object.entries(targets)) {
    try {
      const verify = await languages[name]!.prepare();
      const begun = performance.now();
      const failed = (await verify('inbox-in-one-transaction', 1)).filter(
        ({ status }) => status === 'failed',
      );
      if (failed.length > 0) throw new Error(`The correct service in ${name} failed: ${failed[0]?.title}`);
      const seconds = (performance.now() - begun) / 1000;
      yield { case: `all checks, ${name}`, ratio: seconds, unit: 's', target };
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      process.stderr.write(`NOT RUN: verify ${name}: ${error.message}\n`);
    }
  }
}

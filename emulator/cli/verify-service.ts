import type { Console } from 'busbar/internal/command-line';
import { readText } from '../run/read-text.js';
import type { LoadedServiceContract } from '../testing/service/contract.js';
import { readServiceRepro } from '../testing/service/repro.js';
import { countsOf } from '../testing/report/text.js';
import { replayService, verifyService } from '../testing/service/verify-service.js';
import type { Acceptance } from '../testing/verify/accept.js';
import type { VerifyOptions } from '../testing/verify/contract.js';
import type { ContractReport } from '../testing/verify/report.js';

interface ServiceFlags extends Pick<VerifyOptions, 'only' | 'seed' | 'strict'> {
  readonly repro?: string;
  readonly times?: number;
  /** Milliseconds. */
  readonly budget?: number;
  readonly noMessages?: boolean;
  readonly json?: boolean;
  readonly accepted: readonly Acceptance[];
}

/** Tests the service of a contract. Returns the report; undefined after the replay of a failure, which it prints. */
export async function runVerifyService(
  { contract: own, folder }: LoadedServiceContract,
  flags: ServiceFlags,
  console: Console,
): Promise<ContractReport | undefined> {
  const { repro, times = 1, budget = 60_000, only, seed = own.seed ?? console.config.world?.seed } = flags;
  const { json = false, strict = false, noMessages = false, accepted } = flags;
  const catalogue = await console.catalogue();
  const loaded = { contract: seed === undefined ? own : { ...own, seed }, folder };
  if (repro !== undefined) {
    const saved = readServiceRepro(repro, await readText(repro));
    const { shown, of } = await replayService({ contract: own, folder }, saved, { catalogue, times });
    const { check, about } = saved;
    const status = shown > 0 ? 'failed' : 'passed';
    const text = `${shown > 0 ? '✗' : '✓'} ${check} ${about}: shown ${shown} of ${of} times`;
    console.write(`${json ? JSON.stringify({ name: check, subject: about, status, shown, of }) : text}\n`);
    if (shown > 0) process.exitCode = 1;
    return undefined;
  }
  return verifyService(loaded, {
    catalogue,
    budget,
    accepted,
    strict,
    messages: !noMessages,
    today: new Date().toISOString().slice(0, 10),
    ...(only && { only }),
    onVerdict: (results) => {
      const [{ name } = { name: '' }] = results;
      console.info(`${name}: ${countsOf(results)}`);
    },
  });
}

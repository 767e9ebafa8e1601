import { openCatalogue } from '../../catalogue/index.js';
import { checkOptions, nonEmptyText, type OptionTable } from '../../src/base/options.js';
import { systemClock } from '../../src/base/clock.js';
import { BusbarError } from '../../src/base/errors.js';
import { type Logger, stderrLogger } from '../../src/base/logger.js';
import type { WorldView } from '../platform-api/world-view.js';
import { loadScenarios, scenarioFiles } from '../run/load-scenario.js';
import { paceOptions, replayOptions } from '../run/options.js';
import { type PaceOptions, paceOf } from '../run/pace.js';
import { defaultStart, type PlanOptions } from '../run/plan.js';
import { inputsIn } from '../run/recording/input-log.js';
import { openRecording, type Recording } from '../run/recording/open-recording.js';
import { type ReplayOptions, replaying } from '../run/recording/replay.js';
import { planOf, requireSameFiles } from '../run/recording/same-run.js';
import { type Run, startRun } from '../run/run.js';
import { worldAt } from '../run/world-at.js';
import { type Playback, playback } from './playback.js';
import { portsOf, type SendOptions, sendOptions } from './send-options.js';
import { readiness, serve, showPage, steer } from './serve.js';

/** A recording to send again, which part of it, how fast, and where it goes. */
export interface ReplayRecordingOptions extends ReplayOptions, PaceOptions, SendOptions {
  readonly file: string;
}

/** {@link ReplayRecordingOptions}, as a table. */
export const replayRecordingOptions = {
  ...replayOptions,
  ...paceOptions,
  ...sendOptions,
  file: { type: nonEmptyText, isRequired: true },
} satisfies OptionTable<ReplayRecordingOptions>;

/**
 * Sends what a run has recorded with `record` again: the same bytes, keys and headers, in the same order.
 * @throws BusbarError `invalid-recording` for a file that is none, `file-failed` for one that cannot be read.
 */
export async function replayRecording(options: ReplayRecordingOptions): Promise<Playback> {
  checkOptions<ReplayRecordingOptions>('replayRecording()', replayRecordingOptions, options);
  const { clock = systemClock, logger = stderrLogger } = options;
  const pace = paceOf(options);
  const recording = await openRecording(options.file);
  const source = replaying(recording, options, logger);
  const isAsked = portsOf(options).httpPort !== false;
  const plan = isAsked ? await recordedPlan(options.file, recording, logger) : undefined;
  const history = plan && worldAt(() => plan);
  const now = () => run.now;
  const world: WorldView = {
    seed: () => plan?.seed ?? 1,
    now,
    accountAt: (number, at = now()) => history?.accountAt(number, at),
    instantOf: (eventId) => history?.instantOf(eventId),
  };
  const serving = await serve(options, { world, session: undefined }).catch(async (error: unknown) => {
    await source.close();
    throw error;
  });
  const { servers } = serving;
  if (servers.http !== undefined) {
    steer(servers.http, { session: undefined, ...servers });
    showPage(servers.http, {
      catalogue: openCatalogue(),
      world,
      plan: () => plan,
      scenarios: () => [],
    });
  }
  const run: Run = startRun({
    source,
    pace,
    start: plan?.start ?? defaultStart,
    sinks: [...(options.sinks ?? []), ...servers.sinks],
    clock,
    paused: options.paused ?? false,
    afterFailure: 'Replay the rest with --from and that time.',
    ...readiness(servers, options),
  });
  const end = () => run.stop().catch(() => undefined);
  return { ...playback(serving, options, { run: () => run, finished: run.finished, end }), run };
}

/**
 * What a recording was played from. Undefined where it does not say, and where its scenario file has changed or is
 * gone: its world is not known then.
 */
async function recordedPlan(
  file: string,
  recording: Recording,
  logger: Logger,
): Promise<PlanOptions | undefined> {
  const plan = planOf(recording);
  if (plan === undefined) return undefined;
  const scenario = await loadRecorded(plan.scenario ?? [], file, recording).catch((error: unknown) => {
    if (!(error instanceof BusbarError)) throw error;
    logger.warn(`The recording is replayed without its accounts: ${error.message}`);
    return undefined;
  });
  return scenario && { ...plan, scenario, inputs: await inputsIn(file) };
}

/** @throws BusbarError before it loads anything, unless the files are those that were recorded. */
async function loadRecorded(
  scenario: NonNullable<PlanOptions['scenario']>,
  file: string,
  { header }: Recording,
) {
  requireSameFiles(file, header, scenarioFiles(scenario));
  return loadScenarios(scenario);
}

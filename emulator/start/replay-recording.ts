import { openCatalogue } from '../../catalogue/index.js';
import { systemClock } from '../../src/clock.js';
import { stderrLogger } from '../../src/logger.js';
import type { WorldView } from '../platform-api/world-view.js';
import { loadScenarios } from '../run/load-scenario.js';
import { type PaceOptions, paceOf } from '../run/pace.js';
import { defaultStart, type PlanOptions } from '../run/plan.js';
import { inputsIn } from '../run/recording/input-log.js';
import { openRecording, type Recording } from '../run/recording/open-recording.js';
import { type ReplayOptions, replaying } from '../run/recording/replay.js';
import { planOf } from '../run/recording/same-run.js';
import { type Run, startRun } from '../run/run.js';
import { worldAt } from '../run/world-at.js';
import { type Playback, playback } from './playback.js';
import { portsOf, type SendOptions } from './send-options.js';
import { readiness, serve, showPage, steer } from './serve.js';

/** A recording to send again, which part of it, how fast, and where it goes. */
export interface ReplayRecordingOptions extends ReplayOptions, PaceOptions, SendOptions {
  readonly file: string;
}

/**
 * Sends what a run has recorded with `record` again: the same bytes, keys and headers, in the same order.
 * @throws BusbarError `invalid-recording` for a file that is none, `file-failed` for one that cannot be read.
 */
export async function replayRecording(options: ReplayRecordingOptions): Promise<Playback> {
  const { clock = systemClock, logger = stderrLogger } = options;
  const pace = paceOf(options);
  const recording = await openRecording(options.file);
  const source = replaying(recording, options, logger);
  const plan = portsOf(options).httpPort === false ? undefined : await recordedPlan(options.file, recording);
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

/** What a recording was played from; undefined where it does not say, or its scenario file is gone: then nobody knows its world. */
async function recordedPlan(file: string, recording: Recording): Promise<PlanOptions | undefined> {
  const plan = planOf(recording);
  const scenario = await loadScenarios(plan?.scenario ?? []).catch(() => undefined);
  if (plan === undefined || scenario === undefined) return undefined;
  return { ...plan, scenario, inputs: await inputsIn(file) };
}

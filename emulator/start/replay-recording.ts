import {
  BusbarError,
  catalogueObject,
  checkOptions,
  type Logger,
  nonEmptyText,
  type OptionTable,
  stderrLogger,
  systemClock,
} from 'busbar/base';
import type { Catalogue } from 'busbar/catalogue';
import { configuredCatalogue, configuredEnvelope } from '../run/configured.js';
import { worldView } from '../platform-api/world-view.js';
import { inEnvelope } from '../run/in-envelope.js';
import { scenarioFiles, withScenarios } from '../run/load-scenario.js';
import { paceOptions, replayOptions } from '../run/options.js';
import { type PaceOptions, paceOf } from '../run/pace.js';
import { defaultStart } from '../engine/calendar.js';
import { Plan } from '../run/plan.js';
import { inputsIn, openRecording, type Recording } from '../run/recording/open-recording.js';
import { type ReplayOptions, replaying, requirePossible } from '../run/recording/replay.js';
import { planOf, requireSameFiles } from '../run/recording/same-run.js';
import { formatInstant } from '../engine/time.js';
import { Run } from '../run/run.js';
import { mountPages, type Playback, playback, startServers } from './playback.js';
import { type SendOptions, sendOptions, serversAsked } from './send-options.js';

/** A recording, the selection of its events, their pace, and the sinks and servers of the replay. */
export interface ReplayRecordingOptions extends ReplayOptions, PaceOptions, SendOptions {
  /** Path of the recording. */
  readonly file: string;
  /** Default: that of the nearest configuration file, else the built-in catalogue. */
  readonly catalogue?: Catalogue;
}

const replayRecordingOptions = {
  ...replayOptions,
  ...paceOptions,
  ...sendOptions,
  file: { type: nonEmptyText, isRequired: true },
  catalogue: { type: catalogueObject },
} satisfies OptionTable<ReplayRecordingOptions>;

/**
 * Replays a recording: sends the same bytes, keys and headers in the same order.
 * @throws BusbarError `invalid-option`, also for a selection without events, `file-failed`, `port-in-use`, or `invalid-recording` if the file isn't a recording.
 */
export async function replayRecording(options: ReplayRecordingOptions): Promise<Playback> {
  checkOptions<ReplayRecordingOptions>('replayRecording()', replayRecordingOptions, options);
  const { clock = systemClock, logger = stderrLogger, envelope = await configuredEnvelope() } = options;
  const pace = paceOf(options);
  const catalogue = options.catalogue ?? (await configuredCatalogue());
  requirePossible(options, catalogue);
  const recording = await openRecording(options.file);
  const source = replaying(recording, options, logger);
  const isAsked = serversAsked(options).http !== false;
  const plan = isAsked ? await recordedPlan(options.file, recording, logger) : undefined;
  const world = worldView(
    () => plan,
    () => run.now,
  );
  const report = () => ({ state: run.state, now: formatInstant(run.now), events: run.summary.events });
  const servers = await startServers(options, { world, session: undefined, report }).catch(
    async (error: unknown) => {
      await source.close();
      throw error;
    },
  );
  const run: Run = new Run({
    source,
    pace,
    start: plan?.start ?? defaultStart,
    sinks: inEnvelope([...(options.sinks ?? []), ...servers.sinks], envelope),
    clock,
    paused: options.run?.paused ?? false,
    afterFailure: 'Replay the rest with --from and that time.',
    ...servers.readiness,
  });
  mountPages(servers, {
    session: undefined,
    catalogue,
    envelope,
    world,
    plan: () => plan,
    scenarios: () => [],
  });
  const end = () => run.stop().catch(() => undefined);
  return { ...playback(servers, options, { run: () => run, finished: run.finished, end }), run };
}

/** Returns the plan of a recording, or undefined if the recording doesn't have it or its scenario file has changed. */
async function recordedPlan(file: string, recording: Recording, logger: Logger): Promise<Plan | undefined> {
  const options = planOf(recording);
  if (options === undefined) return undefined;
  const inputs = await inputsIn(file);
  try {
    requireSameFiles(file, recording.header, scenarioFiles(options));
    return new Plan({ ...(await withScenarios(options)), inputs });
  } catch (error) {
    if (!(error instanceof BusbarError)) throw error;
    logger.warn('recording replayed without accounts', { file, error: error.message });
    return undefined;
  }
}

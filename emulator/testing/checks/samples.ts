import { type CheckInput, chooser, type Experiment } from '../service/experiment.js';
import type { CatalogueEvent } from 'busbar/catalogue';
import { removeField } from '../../samples/field-path.js';
import type { SampleKind } from '../samples.js';
import type { Problem } from '../verify/causes.js';
import { changesIn, type Delivery, payloadOf, withEnvelope } from '../verify/delivery.js';
import type { Exercise } from '../verify/exercise.js';
import { optionalFieldsOf } from '../verify/optional-fields.js';
import {
  type EventSamples,
  householdOf,
  sampledHouseholds,
  sampleSource,
} from '../verify/sample-deliveries.js';
import type { Subject } from '../verify/subject.js';
import { type Check, found, type Verdict } from './check.js';
import { firstFailure } from '../verify/judge.js';

/**
 * Requires every kind of valid payload to be handled, unknown fields included. Each sample has a household of its own,
 * and comes after the events that a scenario sends before it. A sample of an event that no scenario sends may lack what
 * it needs: if the consumer handles no kind of it, that is only pointed out.
 */
export const samplesCheck: Check = {
  name: 'samples',
  title: 'samples of every kind are handled',
  async *run(subject) {
    for (const event of subject.handled) {
      const sampled = await subject.samplesOf(event);
      yield await verdict(subject, event, sampled, await subject.ofSamples(event));
    }
  },
  wrongWith: async (subject, counterexample) =>
    failureOfSamples(await subject.exercise(counterexample), counterexample.deliveries),
  overTheWire: {
    parts: async (input) => [
      { sharing: 'together', diagnosis: 'swallows-errors', experiments: await experimentsOf(input) },
    ],
  },
};

async function verdict(
  subject: Subject,
  event: CatalogueEvent,
  sampled: EventSamples,
  done: Exercise,
): Promise<Verdict> {
  const { plan, isLone, samples } = sampled;
  const outcomeOf = ({ sent }: Delivery) => done.outcomes.find(({ id }) => id === sent.id)?.outcome;
  const failing = samples.filter((each) => failureOfSamples(done, [each]) !== undefined);
  // The end of a run fails all samples, also those that were handled before.
  const failed = failing.find((each) => [undefined, 'dead-lettered'].includes(outcomeOf(each))) ?? failing[0];
  if (failed === undefined) return found(event.name, undefined);
  const lacking = done.failure === undefined && (await withoutNeededField(subject, event, sampled));
  const deliveries = lacking || householdOf(sampled, failed);
  const problem = failureOfSamples(done, [failed]);
  const isHandled = samples.some((each) => outcomeOf(each) === 'handled');
  const isWarning = isLone && done.failure === undefined && !isHandled;
  return { ...found(event.name, problem, { plan, deliveries }), isWarning };
}

/** Returns the failure of a sample. A variant that the consumer's validation rejects proves nothing. */
function failureOfSamples(done: Exercise, samples: readonly Delivery[]): Problem | undefined {
  const ids = new Set(samples.map(({ sent }) => sent.id));
  for (const { id = '', reason } of done.outcomes) if (reason === 'invalid-event') ids.delete(id);
  const problem = firstFailure(done, (id) => ids.has(id));
  const label = samples.at(-1)?.faults[0];
  if (label === undefined || problem?.diagnosis !== 'handler-fails') return problem;
  const reason = `Sample (${label}): ${problem.reason}`;
  if (label.startsWith(without)) return { ...problem, reason, diagnosis: 'needs-optional-field' };
  return { ...problem, reason, ...(label === 'unknown fields' && { diagnosis: 'rejects-unknown-fields' }) };
}

const without = 'without ';

/** Returns deliveries of a full sample without the first optional field that the handler requires. */
async function withoutNeededField(
  subject: Subject,
  event: CatalogueEvent,
  sampled: EventSamples,
): Promise<readonly Delivery[] | undefined> {
  const full = sampled.samples.find(({ kind }) => kind === 'full');
  if (full === undefined) return undefined;
  const { plan } = sampled;
  const household = householdOf(sampled, full);
  const isHandled = async (deliveries: readonly Delivery[]) =>
    failureOfSamples(await subject.exercise({ plan, deliveries }), deliveries) === undefined;
  if (!(await isHandled(household))) return undefined;
  const { events, shapes } = subject.documents;
  for (const { path, isPresent } of optionalFieldsOf(
    events[event.name] ?? {},
    shapes,
    payloadOf(full.sent),
  )) {
    if (!isPresent) continue;
    const sent = withEnvelope(full.sent, ({ payload }) => {
      removeField(payload, path);
      return { payload };
    });
    const lacking = [
      ...household.slice(0, -1),
      { sent, origin: full.sent, faults: [`${without}/${path.join('/')}`] },
    ];
    if (!(await isHandled(lacking))) return lacking;
  }
  return undefined;
}

async function experimentsOf(input: CheckInput): Promise<Experiment[]> {
  const choose = chooser(input);
  const { world, contract } = input;
  const source = await sampleSource(world.catalogue, world.documents, contract.seed ?? 1);
  return world.exercised.flatMap((about) => {
    const event = world.catalogue.events.find(({ name }) => name === about);
    if (event === undefined) return [];
    const households = Array.from({ length: sampledHouseholds }, () => choose(about)?.deliveries ?? []);
    const { deliveries, samples } = source.inHouseholds(
      event,
      households.filter((each) => each.length > 0),
    );
    return samples.map(({ kind, ...sample }) => ({
      label: `as the sample "${kind}"${changesIn([sample])}`,
      about,
      deliveries: deliveries.filter(({ sent }) => sent.cell === sample.sent.cell),
      // A changed payload may change fields.
      wrongIf: 'without effect',
      ...(kind === 'unknown fields' && { diagnosis: 'rejects-unknown-fields' }),
      ...(emptyKinds.has(kind) && { diagnosis: 'stores-nothing', isWarning: true }),
    }));
  });
}

/** Kinds of payloads that may have nothing to store. */
const emptyKinds: ReadonlySet<SampleKind> = new Set(['minimal', 'empty lists', 'lowest values']);

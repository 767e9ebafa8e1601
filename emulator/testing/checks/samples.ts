import type { CatalogueEvent } from 'busbar/catalogue';
import { removeField } from '../../samples/field-path.js';
import { optionalFieldsIn } from '../verify/optional-fields.js';
import { type SampleDelivery } from '../verify/sample-deliveries.js';
import { untouched, withPayload } from '../verify/delivery.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Exhibit, found } from './check.js';
import { troubleIn } from './judge.js';

/** Requires every kind of valid payload to be handled. A failure names the optional field that the handler requires. */
export const samplesCheck: Check = {
  name: 'samples',
  title: 'samples of every kind are handled',
  async *run(subject) {
    for (const event of subject.handled) {
      const done = await subject.ofSamples(event);
      const samples = subject.knownSamplesOf(event);
      const kindOfId = new Map(samples.map(({ sent, kind }) => [sent.id, kind]));
      const failed = done.outcomes.find(
        ({ outcome, id = '' }) => outcome === 'dead-lettered' && kindOfId.has(id),
      );
      const trouble = troubleIn(done, (id) => kindOfId.has(id));
      if (trouble === undefined) {
        yield found(event.name, undefined);
        continue;
      }
      const kind = kindOfId.get(failed?.id ?? '');
      const leaning = failed === undefined ? undefined : await fieldLeanedOn(subject, event, samples);
      const which = kind === undefined ? '' : `Sample "${kind}": `;
      const why = leaning === undefined ? '' : ` The handler requires the optional field "${leaning}".`;
      const shown = samples.filter(({ sent }) => failed === undefined || sent.id === failed.id);
      yield found(event.name, `${which}${trouble}${why}`, exhibitOf(subject, shown));
    }
  },
  wrongWith: async (subject, { plan, deliveries }) => troubleIn(await subject.exercise(deliveries, { plan })),
};

function exhibitOf({ seed }: Subject, deliveries: readonly SampleDelivery[]): Exhibit {
  return { plan: { seed }, deliveries };
}

/** Returns the first optional field without which the handler fails. */
async function fieldLeanedOn(
  subject: Subject,
  event: CatalogueEvent,
  samples: readonly SampleDelivery[],
): Promise<string | undefined> {
  const full = samples.find(({ kind }) => kind === 'full');
  if (full === undefined || troubleIn(await subject.exercise([full])) !== undefined) return undefined;
  const schema = subject.documents.events[event.name] ?? {};
  for (const { path, pointer } of optionalFieldsIn(schema, subject.documents.shapes, full.sent)) {
    const sent = withPayload(full.sent, (payload) => {
      removeField(payload as Record<string, unknown>, path);
      return payload;
    });
    if (troubleIn(await subject.exercise([untouched(sent)])) !== undefined) return pointer;
  }
  return undefined;
}

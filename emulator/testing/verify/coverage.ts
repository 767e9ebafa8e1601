import type { CatalogueEvent, Documents } from 'busbar/catalogue';
import type { EventSequence } from './event-sequence.js';
import { type Delivery, payloadOf } from './delivery.js';
import { optionalFieldsOf } from './optional-fields.js';
import type { Coverage } from './report.js';

/** Deliveries of scenarios, with the branch outcomes that they took and all that they could take. */
interface Played extends Pick<EventSequence, 'deliveries' | 'branches'> {
  readonly possible: readonly string[];
}

/** Returns the events, branches and fields of the deliveries. @param samples Deliveries outside of scenarios. */
export function coverageOf(
  { events, shapes }: Documents,
  handled: readonly CatalogueEvent[],
  sequences: readonly Played[],
  samples: readonly Delivery[] = [],
): Coverage {
  const names = new Set(handled.map(({ name }) => name));
  const played = sequences.flatMap(({ deliveries }) => deliveries.filter(({ sent }) => names.has(sent.name)));
  const taken = new Set(sequences.flatMap(({ branches }) => branches));
  const possible = new Set(sequences.flatMap((each) => each.possible));
  /** Optional fields by event and path, and whether a delivery had or lacked the field. */
  const fields = new Map<string, { readonly present: boolean; readonly absent: boolean }>();
  for (const { sent } of [...samples, ...played]) {
    for (const { path, isPresent } of optionalFieldsOf(events[sent.name] ?? {}, shapes, payloadOf(sent))) {
      const place = path.map((part) => (typeof part === 'number' ? '[]' : `/${part}`)).join('');
      const name = `${sent.name}${place}`;
      const seen = fields.get(name) ?? { present: false, absent: false };
      fields.set(name, { ...seen, [isPresent ? 'present' : 'absent']: true });
    }
  }
  const never = (how: 'present' | 'absent') =>
    [...fields].filter(([, seen]) => !seen[how]).map(([path]) => path);
  return {
    handled: [...names],
    exercised: [...new Set(played.map(({ sent }) => sent.name))],
    branches: { taken: [...taken], missed: [...possible].filter((outcome) => !taken.has(outcome)) },
    optionalFields: {
      total: fields.size,
      neverPresent: never('present'),
      neverAbsent: never('absent'),
    },
  };
}

import type { CatalogueEvent, Documents } from 'busbar/catalogue';
import type { EventSequence } from './event-sequence.js';
import { type Delivery, payloadOf } from './delivery.js';
import { optionalFieldsOf } from './optional-fields.js';
import type { Coverage } from './report.js';

/** Counts the events, branches and fields that checks delivered. */
export class CoverageCount {
  readonly #documents: Documents;
  readonly #handled: ReadonlySet<string>;
  readonly #exercised = new Set<string>();
  readonly #taken = new Set<string>();
  readonly #possible = new Set<string>();
  /** Optional fields by event and path, and whether a delivery had or lacked the field. */
  readonly #fields = new Map<string, { present: boolean; absent: boolean }>();

  constructor(documents: Documents, handled: readonly CatalogueEvent[]) {
    this.#documents = documents;
    this.#handled = new Set(handled.map(({ name }) => name));
  }

  /** @param possible All branch outcomes of the sequence's scenario. */
  addSequence(sequence: Pick<EventSequence, 'deliveries' | 'branches'>, possible: readonly string[]): void {
    for (const outcome of possible) this.#possible.add(outcome);
    for (const outcome of sequence.branches) this.#taken.add(outcome);
    for (const delivery of sequence.deliveries) {
      const { name } = delivery.sent;
      if (this.#handled.has(name)) this.#exercised.add(name);
      this.add(delivery);
    }
  }

  add({ sent }: Delivery): void {
    if (!this.#handled.has(sent.name)) return;
    const { events, shapes } = this.#documents;
    for (const { path, isPresent } of optionalFieldsOf(events[sent.name] ?? {}, shapes, payloadOf(sent))) {
      const place = path.map((part) => (typeof part === 'number' ? '[]' : `/${part}`)).join('');
      const name = `${sent.name}${place}`;
      const seen = this.#fields.get(name) ?? { present: false, absent: false };
      this.#fields.set(name, { ...seen, [isPresent ? 'present' : 'absent']: true });
    }
  }

  get coverage(): Coverage {
    const never = (how: 'present' | 'absent') =>
      [...this.#fields].filter(([, seen]) => !seen[how]).map(([path]) => path);
    return {
      handled: [...this.#handled],
      exercised: [...this.#exercised],
      branches: {
        taken: [...this.#taken],
        missed: [...this.#possible].filter((outcome) => !this.#taken.has(outcome)),
      },
      optionalFields: {
        total: this.#fields.size,
        neverPresent: never('present'),
        neverAbsent: never('absent'),
      },
    };
  }
}

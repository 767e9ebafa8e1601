import type { CatalogueEvent, Documents, JsonSchema } from 'busbar/catalogue';
import { shapeOf } from 'busbar/internal/catalogue';
import type { EventSequence } from './event-sequence.js';
import { type Delivery, payloadOf } from './delivery.js';
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
    this.#look(this.#documents.events[sent.name] ?? {}, payloadOf(sent), sent.name);
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

  #look(schema: JsonSchema, value: unknown, path: string): void {
    if (schema.$ref !== undefined) {
      this.#look(this.#documents.shapes[shapeOf(schema.$ref)] ?? {}, value, path);
    } else if (Array.isArray(value)) {
      for (const item of value) this.#look(schema.items ?? {}, item, `${path}[]`);
    } else if (typeof value === 'object' && value !== null) {
      for (const [field, each] of Object.entries(schema.properties ?? {})) {
        const inner = `${path}/${field}`;
        const present = field in value;
        if (!(schema.required ?? []).includes(field)) this.#see(inner, present);
        if (present) this.#look(each, (value as Record<string, unknown>)[field], inner);
      }
    }
  }

  #see(path: string, present: boolean): void {
    const seen = this.#fields.get(path) ?? { present: false, absent: false };
    this.#fields.set(path, { ...seen, [present ? 'present' : 'absent']: true });
  }
}

import { counts, instant, object, ref, text, texts } from './openapi-notation.js';

/** The schemas of the control API's document, by name. */
export const controlSchemas = {
  Error: object({ error: text('A code'), message: text('What happened, and what to do') }, [
    'error',
    'message',
  ]),
  Health: object({ status: { enum: ['ok', 'failed'] }, run: { type: 'integer' } }, ['status', 'run']),
  Clock: object({ now: instant('Virtual'), state: ref('State') }, ['now', 'state']),
  State: { enum: ['waiting', 'running', 'paused', 'idle', 'ended', 'stopped', 'failed'] },
  Run: object(
    {
      run: { type: 'integer', description: 'Its number, from 1' },
      state: ref('State'),
      now: instant('Virtual'),
      seed: { type: 'integer' },
      scenarios: texts(),
      events: { type: 'integer' },
      ...pace(),
      inputs: { type: 'integer' },
      first: { type: ['string', 'null'] },
      last: { type: ['string', 'null'] },
      by_type: counts(),
      by_fault: counts(),
      by_branch: counts(),
      by_sink: { type: 'array', items: object({ name: text('The sink'), events: { type: 'integer' } }) },
    },
    ['run', 'state', 'now', 'seed', 'events'],
  ),
  Consumers: object(
    {
      bootstrap_servers: { type: ['string', 'null'], description: 'null where there is no broker' },
      topics: {
        type: 'array',
        items: object({
          name: text('Topic'),
          partitions: { type: 'integer' },
          records: { type: 'integer', description: 'That it holds' },
          written: { type: 'integer', description: 'That it ever got' },
          bytes: { type: 'integer' },
        }),
      },
      groups: {
        type: 'array',
        items: object({
          id: text('Group'),
          state: { enum: ['Empty', 'PreparingRebalance', 'CompletingRebalance', 'Stable', 'Dead'] },
          generation: { type: 'integer' },
          protocol: { type: ['string', 'null'] },
          lag: { type: 'integer', description: 'Over all partitions' },
          members: {
            type: 'array',
            items: object({
              id: text('Given by the broker'),
              client_id: text('As the client calls itself'),
              host: text('Where it connects from'),
              instance: { type: ['string', 'null'], description: 'Of a static member' },
            }),
          },
          partitions: {
            type: 'array',
            items: object({
              topic: text('Topic'),
              partition: { type: 'integer' },
              member: { type: ['string', 'null'], description: 'Who has it' },
              committed: {
                type: ['integer', 'null'],
                description: 'Offset of the next record to handle',
              },
              start: { type: 'integer', description: 'The lowest offset that is there' },
              end: { type: 'integer', description: 'Offset of the next record to come' },
              lag: { type: ['integer', 'null'], description: 'null where nothing is committed' },
            }),
          },
        }),
      },
      stream: {
        type: 'array',
        items: object({
          name: text('Of a consumer of the stream'),
          connected: { type: 'boolean' },
          acknowledged: { type: 'integer' },
          end: { type: 'integer', description: 'Number of the last record' },
          lag: { type: 'integer' },
        }),
      },
    },
    ['bootstrap_servers', 'topics', 'groups', 'stream'],
  ),
  DeadLetters: object(
    {
      letters: {
        type: 'array',
        description: 'The newest 500',
        items: object({
          id: text('TOPIC/PARTITION/OFFSET'),
          set_aside_at: instant('Wall clock'),
          code: text('Why, in a word'),
          message: text('Why, in a sentence'),
          error: {
            anyOf: [
              object(
                {
                  class: text('Class of the error, or type of another thrown value'),
                  cause: text('Class of the last error in the chain of causes'),
                  code: text('Code of the error or of its cause, for example ECONNREFUSED'),
                  at: text('File, line and column of the first frame in the code of the consumer'),
                  message: text('Where the consumer keeps messages; may quote a payload'),
                  stack: text('Where the consumer keeps stacks; may quote a payload'),
                },
                ['class'],
              ),
              { type: 'null' },
            ],
            description: 'The error behind it; null where none was thrown',
          },
          event: { type: ['string', 'null'], description: 'Catalogue name' },
          event_id: { type: ['string', 'null'] },
          handler: { type: ['string', 'null'] },
          attempts: { type: 'integer' },
          group: { type: ['string', 'null'] },
          origin: object({
            topic: text('Topic'),
            partition: { type: 'integer' },
            offset: { type: 'integer' },
          }),
          replayed: { type: 'boolean' },
        }),
      },
      total: { type: 'integer' },
    },
    ['letters', 'total'],
  ),
  Replayed: object(
    {
      replayed: { type: 'integer', description: 'That were sent' },
      selected: { type: 'integer', description: 'That were to be sent; a replay ends after a minute' },
      replayed_before: { type: 'integer', description: 'Left out, since they were replayed before' },
    },
    ['replayed', 'selected', 'replayed_before'],
  ),
  Sample: object({ event: text('Catalogue name'), key: text('Partition key'), payload: { type: 'object' } }, [
    'event',
    'key',
    'payload',
  ]),
  Started: object({
    started: {
      type: 'array',
      items: object({
        instance: text('What its events carry'),
        cell: { type: 'integer' },
        account: text('Its first account'),
        at: instant('Virtual'),
      }),
    },
  }),
  Triggered: object({
    triggered: {
      type: 'array',
      items: object({
        input: { type: 'integer' },
        at: instant('Virtual'),
        cell: { type: 'integer' },
        event_type: text('Event type'),
        version: text('Version'),
        key: text('Partition key'),
      }),
    },
  }),
  Faults: object({ faults: { type: ['string', 'object', 'null'] }, since: { type: ['string', 'null'] } }),
  ImportSupplier: object({ code: text('Its code'), ...supplier() }, [
    'code',
    'status',
    'root_location',
    'behaviours',
  ]),
  EventLog: object({
    entries: { type: 'array', items: { type: 'object' } },
    cursor: { type: 'integer', description: 'Ask for what comes after this next' },
    missed: { type: 'integer', description: 'Entries after the cursor asked for that are forgotten' },
  }),
};

/** How fast virtual time passes, as a run tells and takes it. */
export function pace() {
  return {
    speed: { description: 'A number, or: instant, story' },
    rate: { type: 'number', description: 'Events a second, instead of a speed' },
  };
}

/** What is configured for an import supplier. */
export function supplier() {
  return {
    status: { enum: ['Ongoing', 'Paused', 'Complete'] },
    root_location: text('The path under which referenced documents are stored'),
    behaviours: object({ customer_emails: { type: 'boolean' } }),
  };
}

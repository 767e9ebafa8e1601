import { instant, object, ref, text, texts, whole } from './openapi-notation.js';
import { pace, supplier } from './openapi-schemas.js';

/** The paths of the control API's document. */
export const controlPaths = {
  '/openapi.json': { get: operation('getDocument', 'This document', { type: 'object' }) },
  '/health': { get: operation('getHealth', 'Whether the emulator is well', ref('Health')) },
  '/run': { get: operation('getRun', 'The present run', ref('Run')) },
  '/run/start': {
    post: operation('startScenario', 'Starts a scenario in the running world', ref('Started'), {
      status: 201,
      body: object(
        {
          scenario: text('As emulate scenarios lists it, or a scenario of the run'),
          instances: whole(1, 1000, 'How many, each in a household of its own. Default 1'),
          account: text('The account whose household it happens to. Default: a new one'),
          branches: { type: 'object', additionalProperties: { type: 'string' } },
          data: { description: 'What the scenario reads' },
          at: instant('A later virtual instant. Default now'),
        },
        ['scenario'],
      ),
    }),
  },
  '/run/pause': {
    post: operation('pauseRun', 'Virtual time stands still', ref('Run'), { body: object({}) }),
  },
  '/run/resume': { post: operation('resumeRun', 'Virtual time goes on', ref('Run'), { body: object({}) }) },
  '/run/step': {
    post: operation('stepRun', 'Pauses, and lets the next occurrences happen', ref('Run'), {
      body: object({ count: whole(1, 1_000_000, 'Default 1') }),
    }),
  },
  '/run/speed': {
    post: operation('setSpeed', 'Lets virtual time pass otherwise', ref('Run'), { body: object(pace()) }),
  },
  '/run/stop': {
    post: operation(
      'stopRun',
      'Ends the run; the servers stay, and a start or a reset begins another',
      ref('Run'),
      { body: object({}) },
    ),
  },
  '/run/reset': {
    post: operation(
      'resetRun',
      'Stops the run and begins another; what is not said stays as it was',
      ref('Run'),
      {
        body: object({
          seed: { type: 'integer' },
          scenarios: texts(),
          instances: { type: 'integer', minimum: 1 },
          accounts: { type: 'integer', minimum: 1 },
          branches: { type: 'object', additionalProperties: { type: 'string' } },
          faults: text('As --faults'),
          run_id: text('Other event ids, for consumers that remember those of an earlier run'),
          paused: { type: 'boolean' },
          ...pace(),
        }),
      },
    ),
  },
  '/clock': { get: operation('getClock', 'The present virtual instant', ref('Clock')) },
  '/clock/advance': {
    post: operation(
      'advanceClock',
      'Moves virtual time forward: what is due until then is sent at once',
      ref('Clock'),
      {
        body: object({ to: instant('The instant'), by: text('Or a duration, as 1h or PT1H') }),
      },
    ),
  },
  '/consumers': {
    get: operation('listConsumers', 'Who consumes, and how far each has come', ref('Consumers')),
  },
  '/dead-letters': {
    get: operation(
      'listDeadLetters',
      'What consumers of the broker have set aside, the newest first',
      ref('DeadLetters'),
      {
        query: [
          parameter('query', 'topic', text('The topic that was consumed. Default: every one')),
          parameter('query', 'group', text('Only those of one consumer group')),
        ],
      },
    ),
  },
  '/dead-letters/replay': {
    post: operation(
      'replayDeadLetters',
      'Sends dead letters to be handled again, each once, as busbar dead-letters replay does',
      ref('Replayed'),
      {
        body: object({
          topic: text('The topic that was consumed. Default: every one'),
          group: text('Only those of one consumer group'),
          event: text('Only those of one event, as account.created-v1'),
          id: text('Only that one: TOPIC/PARTITION/OFFSET'),
        }),
      },
    ),
  },
  '/samples/{event}': {
    parameters: [parameter('path', 'event', { type: 'string' })],
    get: operation('getSample', 'A realistic payload, as a trigger would draw it', ref('Sample'), {
      query: [
        parameter('query', 'nth', {
          type: 'integer',
          minimum: 0,
          description: 'Another number, another household. Default 0',
        }),
        parameter('query', 'fields', {
          enum: ['usual', 'minimal', 'full'],
          description: 'Optional fields: some by chance (default), none, or all',
        }),
      ],
    }),
  },
  '/trigger': {
    post: operation('trigger', 'Sends one event at will', ref('Triggered'), {
      status: 202,
      body: object(
        {
          event: text('As busbar catalogue list has it: account.created-v1'),
          set: texts('Values: account_number=A-1B2C3D4E'),
          unset: texts('Fields to leave out'),
          invalid: texts('Damage: missing:FIELD, type:FIELD or extra:FIELD'),
          validate: { type: 'boolean', description: 'false sends what is not valid. Default true' },
          payload: { type: 'object', description: 'Instead of one that is drawn' },
          key: text('The partition key. Default: what the payload is about'),
          count: whole(1, 1000, 'Default 1'),
          at: instant('A later virtual instant. Default now'),
        },
        ['event'],
      ),
    }),
  },
  '/faults': {
    get: operation('getFaults', 'The faults that are done', ref('Faults')),
    put: operation('setFaults', 'Other faults from now on', ref('Faults'), {
      body: object({ faults: { type: ['string', 'object'] } }, ['faults']),
    }),
    delete: operation('endFaults', 'No faults from now on', ref('Faults')),
  },
  '/import-suppliers': {
    get: operation(
      'listImportSuppliers',
      'Every import supplier',
      object({ import_suppliers: { type: 'array', items: ref('ImportSupplier') } }, ['import_suppliers']),
    ),
    post: operation('createImportSupplier', 'Creates an import supplier', ref('ImportSupplier'), {
      status: 201,
      body: object({ code: text('Its code'), ...supplier() }, ['code']),
    }),
  },
  '/import-suppliers/{code}': {
    parameters: [parameter('path', 'code', { type: 'string' })],
    get: operation('getImportSupplier', 'An import supplier', ref('ImportSupplier')),
    patch: operation('changeImportSupplier', 'Changes an import supplier', ref('ImportSupplier'), {
      body: object(supplier()),
    }),
  },
  '/world/accounts/{number}': {
    parameters: [parameter('path', 'number', { type: 'string' })],
    get: operation(
      'getAccount',
      'The truth about an account at a virtual instant',
      { type: 'object' },
      { query: [at()] },
    ),
  },
  '/world/processes/{number}': {
    parameters: [parameter('path', 'number', { type: 'string' })],
    get: operation(
      'getProcess',
      'What has occurred to a process by a virtual instant',
      { type: 'object' },
      { query: [at()] },
    ),
  },
  '/world/cells/{cell}': {
    parameters: [parameter('path', 'cell', { type: 'integer', minimum: 0 })],
    get: operation(
      'getCell',
      'A household or business at a virtual instant',
      { type: 'object' },
      { query: [at()] },
    ),
  },
  '/events': {
    get: operation('listEvents', 'What has happened, after a cursor', ref('EventLog'), {
      query: [
        parameter('query', 'after', {
          type: 'integer',
          minimum: 0,
          description: 'Default 0: from the oldest',
        }),
        parameter('query', 'limit', whole(1, 1000, 'Default 100')),
        parameter('query', 'kind', { enum: ['event', 'input', 'note'] }),
        parameter('query', 'type', text('An event type')),
      ],
    }),
  },
  '/inputs': {
    get: operation(
      'listInputs',
      'What came in: a file for emulate --inputs',
      { type: 'string' },
      { media: 'application/x-ndjson' },
    ),
  },
};

interface Details {
  readonly status?: number;
  readonly body?: object;
  readonly query?: readonly object[];
  readonly media?: string;
}

function operation(operationId: string, summary: string, schema: object, details: Details = {}) {
  const { status = 200, body, query, media = 'application/json' } = details;
  return {
    operationId,
    summary,
    ...(query && { parameters: query }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      [status]: { description: summary, content: { [media]: { schema } } },
      '4XX': { $ref: '#/components/responses/Error' },
    },
  };
}

function parameter(place: 'path' | 'query', name: string, schema: object) {
  return { in: place, name, ...(place === 'path' && { required: true }), schema };
}

function at() {
  return parameter('query', 'at', instant('Default now'));
}

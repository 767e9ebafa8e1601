import type { Request, RequestHandler, Router } from 'express';
import type { EnvelopeCodec } from 'busbar';
import type { Catalogue } from 'busbar/catalogue';
import type { FetchedRecord } from 'busbar/internal/kafka-protocol';
import type { Instant } from '../engine/time.js';
import { express } from '../http/express.js';
import { apiDocument } from '../platform-api/document.js';
import type { WorldView } from '../platform-api/world-view.js';
import { cellStep, followCells } from '../run/cell-timeline.js';
import { contentsIn } from '../run/in-envelope.js';
import { fileOf } from '../run/load-scenario.js';
import type { Plan } from '../run/plan.js';
import { eventTopic } from '../run/sink.js';
import type { PlatformScenario } from '../scenarios/define.js';
import type { BrokerSink } from '../sinks/broker.js';
import { accountStory } from './account-story.js';
import { encodedText, checkPayload } from './posted-payload.js';
import { lastVerdict } from './last-verdict.js';
import { Outcomes } from './outcomes.js';
import { addPage } from './page.js';
import { runTimelines } from './run-timeline.js';
import { forksOf, insteadOf, whatIf } from './what-if.js';

export interface DashboardOptions {
  readonly catalogue: Catalogue;
  /** The codec of the events; undefined for Busbar's own envelope, whose headers name an event. */
  readonly envelope: EnvelopeCodec | undefined;
  readonly world: WorldView;
  /** Returns the plan of the run; undefined for a recording without one. */
  readonly plan: () => Plan | undefined;
  /** The emulator's own broker, if any. */
  readonly broker: BrokerSink | undefined;
  /** Returns the scenarios that a user can start. */
  readonly scenarios: () => readonly PlatformScenario[];
}

/**
 * Serves the dashboard and its read-only data, next to the stream: events and their schemas, scenarios, validation,
 * timelines of cells, and accounts with their history. Changes go through the control API.
 */
export function dashboard({ catalogue, envelope, world, plan, broker, scenarios }: DashboardOptions): Router {
  const router = express.Router();
  const get = (path: string, read: Read) => router.get(`/dashboard/${path}`, respond(read));
  const json = express.json({ limit: '4mb' });
  const post = (path: string, read: Read) => router.post(`/dashboard/${path}`, json, respond(read));
  addPage(router);
  get('catalogue', () => catalogue.events);
  get('catalogue/:name', ({ params: { name = '' } }) => {
    const event = catalogue.named(name);
    return event && catalogue.schema(event);
  });
  get('scenarios', () =>
    scenarios().map((scenario) => {
      const { name, title, description, branches } = scenario;
      return { name, title, description, branches, file: fileOf(scenario) };
    }),
  );

  const timelineOf = runTimelines();
  get('timeline', () => timelineOf(plan(), world.now()));
  const stepsOf = followCells();
  get('account-schema', accountSchema);
  get('account/:number', ({ params: { number = '' }, query }) => {
    const at = instantIn(query['at']);
    const current = plan();
    if (at === false || current === undefined) return undefined;
    return accountStory(number, { at, now: world.now(), plan: current, stepsOf });
  });
  /** Serves what a plan says of a cell, now. */
  const ofCell = (
    path: string,
    read: (plan: Plan, cell: number, now: Instant, query: Request['query']) => unknown,
  ) =>
    get(`${path}/:cell`, ({ params, query }) => {
      const [cell, current] = [Number(params['cell']), plan()];
      if (!Number.isSafeInteger(cell) || current?.knows(cell) !== true) return undefined;
      return read(current, cell, world.now(), query);
    });
  ofCell('course', (current, cell, now) => ({ now, steps: stepsOf(current, cell, now).map(cellStep) }));
  ofCell('forks', forksOf);
  ofCell('what-if', (current, cell, now, query) => whatIf(current, cell, now, insteadOf(current, query)));

  const codec = envelope?.ofTopic?.(eventTopic) ?? envelope;
  const decodedId = (record: FetchedRecord) => {
    try {
      return codec?.decode(record, undefined, catalogue).id;
    } catch {
      // A fault has made the record unreadable.
      return undefined;
    }
  };
  const outcomes = new Outcomes(broker, decodedId, plan);
  get('outcomes', ({ query }) => {
    const ids = [query['event'] ?? []].flat().filter((id) => typeof id === 'string');
    return outcomes.of(ids.slice(0, 200));
  });
  router.post('/dashboard/outcomes', json, (request, response) => {
    outcomes.add(request.body);
    response.status(204).end();
  });
  const encode = contentsIn(envelope);
  post('encode', ({ body }) => encodedText(encode, body));
  post('validate', ({ body }) => checkPayload(catalogue, body));
  get('verdict', lastVerdict);
  return router;
}

type Read = (request: Request<Record<string, string>>) => unknown;

/** Responds with what a function returns; undefined does not exist. */
function respond(read: Read): RequestHandler<Record<string, string>> {
  return async (request, response, next) => {
    const found = await read(request);
    if (found === undefined) next();
    else response.json(found);
  };
}

/** Returns the schema of an account in the REST API, with its definitions in the form of event schemas. */
function accountSchema(): object {
  const { schemas } = apiDocument().components;
  const $defs = JSON.parse(JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/$defs/')) as Record<
    string,
    object
  >;
  return { ...$defs['Account'], $defs };
}

/** Returns milliseconds since the epoch; undefined for no text, false for any other text. */
function instantIn(text: unknown): number | undefined | false {
  if (text === undefined) return undefined;
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : false;
}

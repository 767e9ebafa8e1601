import type { Request, Router } from 'express';
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
  addPage(router);

  router.get('/dashboard/catalogue', (_request, response) => {
    response.json(catalogue.events);
  });

  router.get('/dashboard/catalogue/:name', async (request, response, next) => {
    const event = catalogue.named(request.params.name);
    if (event === undefined) next();
    else response.json(await catalogue.schema(event));
  });

  /** Serves what a plan says of a cell, now. */
  const ofCell = (
    path: string,
    read: (plan: Plan, cell: number, now: Instant, query: Request['query']) => unknown,
  ) => {
    router.get(`/dashboard/${path}/:cell`, async (request, response, next) => {
      const [cell, current] = [Number(request.params['cell']), plan()];
      if (!Number.isSafeInteger(cell) || current?.knows(cell) !== true) next();
      else response.json(await read(current, cell, world.now(), request.query));
    });
  };
  const stepsOf = followCells();
  ofCell('course', (current, cell, now) => ({ now, steps: stepsOf(current, cell, now).map(cellStep) }));
  ofCell('forks', forksOf);
  ofCell('what-if', (current, cell, now, query) => whatIf(current, cell, now, insteadOf(current, query)));

  const timelineOf = runTimelines();
  router.get('/dashboard/timeline', async (_request, response) => {
    response.json(await timelineOf(plan(), world.now()));
  });

  router.get('/dashboard/account-schema', (_request, response) => {
    response.json(accountSchema());
  });

  router.get('/dashboard/account/:number', (request, response, next) => {
    const at = instantIn(request.query['at']);
    const current = plan();
    const isKnown = at !== false && current !== undefined;
    const story = isKnown
      ? accountStory(request.params.number, { at, now: world.now(), plan: current, stepsOf })
      : undefined;
    if (story === undefined) next();
    else response.json(story);
  });

  router.get('/dashboard/scenarios', (_request, response) => {
    response.json(
      scenarios().map((scenario) => {
        const { name, title, description, branches } = scenario;
        return { name, title, description, branches, file: fileOf(scenario) };
      }),
    );
  });

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
  router.post('/dashboard/outcomes', express.json({ limit: '4mb' }), (request, response) => {
    outcomes.add(request.body);
    response.status(204).end();
  });

  router.get('/dashboard/outcomes', async (request, response) => {
    const ids = [request.query['event'] ?? []].flat().filter((id) => typeof id === 'string');
    response.json(await outcomes.of(ids.slice(0, 200)));
  });

  const encode = contentsIn(envelope);
  router.post('/dashboard/encode', express.json({ limit: '4mb' }), (request, response, next) => {
    const encoded = encodedText(encode, request.body);
    if (encoded === undefined) next();
    else response.json(encoded);
  });

  router.get('/dashboard/verdict', async (_request, response) => {
    response.json(await lastVerdict());
  });

  router.post('/dashboard/validate', express.json({ limit: '4mb' }), async (request, response) => {
    response.json(await checkPayload(catalogue, request.body));
  });

  return router;
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

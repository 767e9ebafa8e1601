import type { VirtualClock } from '../../../src/base/clock.js';
import { systemClock } from '../../../src/base/clock.js';
import { silentLogger } from '../../../src/base/logger.js';
import type { HttpServer } from '../../http/server.js';
import type { HttpService } from '../../http/service.js';
import { platformApiService } from '../../platform-api/service.js';
import { cellAt, type PlanOptions } from '../../run/plan.js';
import { worldAt } from '../../run/world-at.js';
import { identifiers, platformCell } from '../../world/identifiers.js';
import { type RestApi, restApiKey, serveRestApi } from '../bench-world.js';

/** The platform's REST API for one exercise after the other, on one address. It keeps no process from ending. */
export class RestStandIn {
  /** Requests so far. */
  requests = 0;
  /** Whether it answers 503 to everything. */
  isDown = false;
  readonly #seed: number;
  #plan: PlanOptions;
  #world: ReturnType<typeof worldAt>;
  #clock: Pick<VirtualClock, 'now'> = systemClock;
  #server: Promise<{ readonly http: HttpServer; readonly api: RestApi }> | undefined;

  constructor(seed: number) {
    this.#seed = seed;
    this.#plan = { seed };
    this.#world = worldAt(() => this.#plan);
  }

  /** Answers from the world of that plan from now on, at the time of that clock. */
  answerFrom(plan: PlanOptions, clock: Pick<VirtualClock, 'now'>): void {
    if (plan !== this.#plan) this.#world = worldAt(() => plan);
    this.#plan = plan;
    this.#clock = clock;
    this.isDown = false;
  }

  readonly restApi = async (): Promise<RestApi> => (await (this.#server ??= this.#serve())).api;

  async stop(): Promise<void> {
    await (await this.#server)?.http.stop();
  }

  async #serve() {
    const world = {
      seed: () => this.#plan.seed ?? this.#seed,
      now: () => this.#clock.now(),
      accountAt: (number: string, at = this.#clock.now()) =>
        this.#world.accountAt(number, at) ?? this.#untouched(number, at),
      instantOf: (eventId: string) => this.#world.instantOf(eventId),
    };
    const parts = { world, session: undefined, clock: systemClock, logger: silentLogger };
    const { service } = platformApiService({ apiKeys: [restApiKey] }, parts);
    const routes: HttpService['routes'] = (request, response, next) => {
      this.requests++;
      if (this.isDown) response.status(503).set('Retry-After', '1').json({ detail: 'Try again later.' });
      else void service.routes?.(request, response, next);
    };
    const served = await serveRestApi({ ...service, routes }, silentLogger);
    // A process in which nothing else goes on may end: the consumer's own request keeps it for as long as it takes.
    served.http.server.unref().on('connection', (socket) => socket.unref());
    return served;
  }

  /** Samples are about households that nothing has happened in. */
  #untouched(number: string, at: number) {
    const { seed = 1, start } = this.#plan;
    const index = identifiers(seed).cellOf(number);
    if (index === undefined || index === platformCell) return undefined;
    const cell = cellAt({ seed, ...(start !== undefined && { start }) }, index, at);
    const account = cell.accounts.find((each) => each.number === number);
    return account && { cell, account };
  }
}

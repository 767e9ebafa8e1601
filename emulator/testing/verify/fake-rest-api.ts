import { silentLogger, systemClock, type VirtualClock } from 'busbar/base';
import { createHttpServer, type HttpServer } from '../../http/server.js';
import type { HttpService } from '../../http/service.js';
import { platformApiService } from '../../platform-api/service.js';
import { worldView } from '../../platform-api/world-view.js';
import { Plan, type PlanOptions } from '../../run/plan.js';
import { sampleRoom } from '../../samples/sampler.js';
import { platformCell } from '../../world/identifiers.js';

/** Address and API key of the REST API that a bench serves. */
export interface RestApi {
  /** Base URL, e.g. `http://127.0.0.1:49152/v1/`. */
  readonly url: string;
  /** User name for HTTP basic authentication. */
  readonly apiKey: string;
}

const apiKey = 'sk_test_bench';

/** Fault of the REST API: a status, a closed connection, or a late response. */
export type RestFault = 503 | 429 | 'cut' | 'slow';

const slowMs = 300;

/** The platform's REST API of played events, on one address. It doesn't keep the process alive. */
export class FakeRestApi {
  requests = 0;
  /** Number of requests without a response. */
  open = 0;
  /** Fault of every response. */
  fault: RestFault | undefined;
  #options: PlanOptions | Plan;
  /** Undefined until a request needs it. */
  #made: Plan | undefined;
  #clock: Pick<VirtualClock, 'now'> = systemClock;
  #server: Promise<{ readonly http: HttpServer; readonly api: RestApi }> | undefined;

  constructor(seed: number) {
    this.#options = { seed };
  }

  /** Serves the world of this plan at the time of this clock. */
  answerFrom(options: PlanOptions | Plan, clock: Pick<VirtualClock, 'now'>): void {
    if (options !== this.#options) this.#made = undefined;
    this.#options = options;
    this.#clock = clock;
    this.fault = undefined;
  }

  readonly restApi = async (): Promise<RestApi> => (await (this.#server ??= this.#serve())).api;

  async stop(): Promise<void> {
    await (await this.#server)?.http.stop();
  }

  get #plan(): Plan {
    const options = this.#options;
    return (this.#made ??= options instanceof Plan ? options : new Plan(options));
  }

  async #serve() {
    const world = {
      ...worldView(
        () => this.#plan,
        () => this.#clock.now(),
      ),
      accountAt: (number: string, at = this.#clock.now()) =>
        this.#plan.account(number, at) ?? this.#untouched(number, at),
    };
    // The virtual clock stops while a handler waits for a response, so the server uses the wall clock.
    const parts = { world, session: undefined, clock: systemClock, logger: silentLogger };
    const { service } = platformApiService({ apiKeys: [apiKey] }, parts);
    const routes: HttpService['routes'] = (request, response, next) => {
      const { fault } = this;
      this.requests++;
      this.open++;
      response.once('close', () => this.open--);
      const respond = () => void service.routes?.(request, response, next);
      if (fault === undefined) respond();
      else if (fault === 'slow') setTimeout(respond, slowMs);
      else if (fault === 'cut') response.destroy();
      else response.status(fault).set('Retry-After', '1').json({ detail: 'Try again later.' });
    };
    const http = await createHttpServer({
      port: 0,
      services: [{ ...service, routes }],
      logger: silentLogger,
    });
    // The server doesn't keep the process alive: the consumer's own requests do.
    http.server.unref().on('connection', (socket) => socket.unref());
    return { http, api: { url: `${http.url}${service.path}/`, apiKey } };
  }

  /** Finds an account of a household without events: samples are about those. */
  #untouched(number: string, at: number) {
    const { seed, start } = this.#plan;
    const plan = new Plan({ seed, start, room: sampleRoom });
    const index = plan.world.identifiers.cellOf(number);
    if (index === undefined || index === platformCell) return undefined;
    const cell = plan.cell(index, at);
    const account = cell.accounts.find((each) => each.number === number);
    return account && { cell, account };
  }
}

/** A request on its way to being handled. */
export interface InterceptedRequest {
  readonly apiKey: number;
  readonly apiName: string;
  readonly apiVersion: number;
  readonly clientId: string;
  /** The decoded request, by the field names of the protocol guide in camelCase. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** What shall happen to a request; several properties combine. */
export interface Fault {
  /** Milliseconds to wait before anything else. */
  readonly delayMs?: number;
  /**
   * Answer with this code of Kafka's without doing anything. A coordinator that moves is 16
   * (NOT_COORDINATOR) for the group APIs; 14 (COORDINATOR_LOAD_IN_PROGRESS) is one that starts.
   */
  readonly errorCode?: number;
  /** Drop the connection, `before` the request is carried out or `after` it, its answer being lost. */
  readonly close?: 'before' | 'after';
}

/** Decides per request; nothing returned lets it pass. May be asynchronous to hold a request up. */
export type Interceptor = (request: InterceptedRequest) => Fault | undefined | Promise<Fault | undefined>;

/** The interceptors of a broker, by API key. */
export class Interceptors {
  readonly #byKey = new Map<number, Set<Interceptor>>();

  /** @returns what removes the interceptor again. */
  add(apiKey: number, interceptor: Interceptor): () => void {
    const interceptors = this.#byKey.get(apiKey) ?? new Set();
    this.#byKey.set(apiKey, interceptors.add(interceptor));
    return () => void interceptors.delete(interceptor);
  }

  /** The fault of the first interceptor that asks for one. */
  async faultFor(request: InterceptedRequest): Promise<Fault | undefined> {
    for (const interceptor of this.#byKey.get(request.apiKey) ?? []) {
      const fault = await interceptor(request);
      if (fault) return fault;
    }
    return undefined;
  }

  has(apiKey: number): boolean {
    return (this.#byKey.get(apiKey)?.size ?? 0) > 0;
  }
}

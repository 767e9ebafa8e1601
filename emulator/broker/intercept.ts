type Message = Record<string, unknown>;

/** A topic in a request, and one of its partitions if the API names partitions. */
export interface Part {
  readonly topic: string;
  readonly partition?: number;
}

/** A decoded request before it is handled. */
export interface InterceptedRequest {
  readonly apiKey: number;
  readonly apiName: string;
  readonly apiVersion: number;
  readonly clientId: string;
  /** The fields of the protocol guide, with names in camelCase. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** Faults to inject into a request; they combine. */
export interface Fault {
  /** Milliseconds to wait before the request is handled. */
  readonly delayMs?: number;
  /**
   * Refuses the request with this error code of Kafka. For the group APIs, 16 (NOT_COORDINATOR) simulates a moved
   * coordinator and 14 (COORDINATOR_LOAD_IN_PROGRESS) a starting one.
   */
  readonly errorCode?: number;
  /** Closes the connection `before` the request is handled, or `after` it, which loses the response. */
  readonly close?: 'before' | 'after';
  /** The parts of the request that `errorCode` refuses. Default: all. */
  readonly refuses?: (part: Part) => boolean;
  /** Changes the request before it is handled. */
  readonly change?: (request: Message) => Message;
  /** Changes the response, or delays it until the promise resolves. */
  readonly answer?: (response: Message | null) => Message | null | Promise<Message | null>;
}

/** Returns a fault for a request, or undefined for none. An asynchronous interceptor delays the request. */
export type Interceptor = (request: InterceptedRequest) => Fault | undefined | Promise<Fault | undefined>;

/** The interceptors of a broker, by API key. */
export class Interceptors {
  readonly #byKey = new Map<number, Set<Interceptor>>();

  /** @returns a function that removes the interceptor. */
  add(apiKey: number, interceptor: Interceptor): () => void {
    const interceptors = this.#byKey.get(apiKey) ?? new Set();
    this.#byKey.set(apiKey, interceptors.add(interceptor));
    return () => void interceptors.delete(interceptor);
  }

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

/** The fields of a request or response, with the names of the protocol guide in camelCase. */
export type Message = Record<string, unknown>;

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
  readonly request: Readonly<Message>;
}

/** A request that a fault replaces or changes. */
interface Call {
  readonly request: Message;
  readonly carryOut: (request: Message) => Promise<Message | null>;
  readonly refuse: (errorCode: number) => Message;
  /** Resolves after some milliseconds, or when the connection closes. */
  readonly wait: (ms: number) => Promise<void>;
}

/** Responds in place of the broker. */
export type Fault = (call: Call) => Promise<Message | null>;

/** Returns the fault for a request, or undefined for none. */
export type Interceptor = (request: InterceptedRequest) => Fault | undefined;

import type { Duplex } from 'node:stream';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** What the broker remembers of one client connection. */
export class Connection {
  readonly stream: Duplex;
  /** Where the client connects from. */
  readonly clientHost: string;
  /** Where clients of this listener find the broker; what Metadata answers. */
  readonly advertised: Address;
  /** Set as soon as the client may use more than the SASL and version APIs. */
  authenticated: boolean;
  /** The mechanism of a SaslHandshake that was accepted. */
  saslMechanism: string | undefined;
  /** After SaslHandshake v0 the token comes without any Kafka header. */
  expectsBareToken = false;
  /** The response that is being sent is the last one. */
  closing = false;
  /** A request has arrived whole. */
  hasAsked = false;
  /** A request is being answered: the client waits for the broker. */
  isAnswering = false;
  /** Bytes of a request that has not arrived whole yet. Only `Connections` writes it. */
  unfinishedBytes = 0;
  /** The sweep of `Connections` before the last sign of life. */
  lastActive = 0;
  readonly #closeListeners = new Set<() => void>();

  constructor(stream: Duplex, clientHost: string, advertised: Address, authenticated: boolean) {
    this.stream = stream;
    this.clientHost = clientHost;
    this.advertised = advertised;
    this.authenticated = authenticated;
  }

  /** To be called when the stream is closed: nothing that waits for this client has to go on. */
  closed(): void {
    for (const listener of [...this.#closeListeners]) listener();
  }

  onClose(listener: () => void): () => void {
    this.#closeListeners.add(listener);
    return () => this.#closeListeners.delete(listener);
  }
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** What the broker remembers of one client connection. */
export class Connection {
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
  readonly #closeListeners = new Set<() => void>();

  constructor(clientHost: string, advertised: Address, authenticated: boolean) {
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

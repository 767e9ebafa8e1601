import type { Duplex } from 'node:stream';

/** A host and port that clients connect to. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The state of one client connection. */
export class Connection {
  readonly stream: Duplex;
  readonly clientHost: string;
  /** The broker's address as Metadata returns it to this client. */
  readonly advertised: Address;
  /** Whether the client may use APIs other than SASL and ApiVersions. */
  authenticated: boolean;
  /** The mechanism of the accepted SaslHandshake. */
  saslMechanism: string | undefined;
  /** Whether the next frame is a token without a Kafka header, as after SaslHandshake v0. */
  expectsBareToken = false;
  /** Whether the broker closes the connection after the current response. */
  closing = false;
  /** The client id of the last request. */
  clientId = '';
  /** Whether a complete request has arrived. */
  hasSentRequest = false;
  /** Whether the broker is handling a request of the client. */
  isHandling = false;
  /** Bytes of an incomplete request. Only `Connections` writes it. */
  unfinishedBytes = 0;
  /** The last sweep of `Connections` before the client's latest activity. */
  lastActive = 0;

  constructor(stream: Duplex, clientHost: string, advertised: Address, authenticated: boolean) {
    this.stream = stream;
    this.clientHost = clientHost;
    this.advertised = advertised;
    this.authenticated = authenticated;
  }

  /** Calls `listener` when the stream closes, until the returned function is called. */
  onClose(listener: () => void): () => void {
    this.stream.once('close', listener);
    return () => this.stream.off('close', listener);
  }
}

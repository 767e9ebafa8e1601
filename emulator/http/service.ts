import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RequestHandler } from 'express';

/** Something with an address on the server. */
export interface HttpService {
  /** As in a URL, without query: `/events`. What answers below it is `routes`. */
  readonly path: string;
  /** One line: what is there, and how to get at it. */
  readonly about: string;
  /** Takes over a WebSocket connection, or answers why not. A service with it answers nothing else. */
  readonly upgrade?: Upgrade;
  readonly routes?: RequestHandler;
}

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => UpgradeAnswer | undefined;

export interface UpgradeAnswer {
  readonly status: number;
  /** Plain text. */
  readonly message: string;
}

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RequestHandler } from 'express';
import type { Refusal } from './refusal.js';

/** A service at a path of the server. */
export interface HttpService {
  /** The path without query, for example `/events`. */
  readonly path: string;
  /** A description in one line. */
  readonly about: string;
  /** Accepts or refuses a WebSocket connection. A service with it has no routes. */
  readonly upgrade?: Upgrade;
  readonly routes?: RequestHandler;
}

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => UpgradeRefusal | undefined;

/** Its message is sent as plain text. */
export type UpgradeRefusal = Pick<Refusal, 'status' | 'message'>;

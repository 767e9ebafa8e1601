import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to the broker that can be cut, stalled and slowed down. */
export class Proxy {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isCut = false;
  #isStalled = false;
  #delay = 0;

  constructor(to: { readonly host: string; readonly port: number }) {
    this.#server = createServer((client) => {
      if (this.#isCut) {
        client.destroy();
        return;
      }
      const broker = connect(to.port, to.host);
      const pair = [client, broker] as const;
      this.#pairs.add(pair);
      this.#join(client, broker);
      this.#join(broker, client);
      const end = () => {
        this.#pairs.delete(pair);
        client.destroy();
        broker.destroy();
      };
      for (const socket of pair) socket.on('close', end).on('error', end);
      if (this.#isStalled) for (const socket of pair) socket.pause();
    });
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as { port: number }).port;
  }

  /** Ends every connection; refuses new ones until `restore`. */
  cut(): void {
    this.#isCut = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  /** Connections stand, and nothing comes through. */
  stall(): void {
    this.#isStalled = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  /** Everything arrives so many milliseconds later. */
  slow(delay: number): void {
    this.#delay = delay;
  }

  restore(): void {
    this.#isCut = false;
    this.#isStalled = false;
    this.#delay = 0;
    for (const pair of this.#pairs) for (const socket of pair) socket.resume();
  }

  async close(): Promise<void> {
    this.cut();
    await once(this.#server.close(), 'close');
  }

  #join(from: Socket, to: Socket): void {
    let waiting = Promise.resolve();
    let held = 0;
    const forward = (bytes: Buffer) => {
      if (to.destroyed || to.write(bytes)) return;
      from.pause();
      to.once('drain', () => {
        if (!this.#isStalled) from.resume();
      });
    };
    from.on('data', (bytes) => {
      // Behind what is still on its way, so that nothing overtakes.
      if (this.#delay === 0 && held === 0) forward(bytes);
      else {
        held++;
        const slowed = new Promise<void>((resolve) => setTimeout(resolve, this.#delay));
        waiting = waiting
          .then(() => slowed)
          .then(() => {
            held--;
            forward(bytes);
          });
      }
    });
  }
}

import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** Fault of a proxy: `cut` closes connections and refuses new ones, `slow` delays every byte. */
export type ProxyFault = 'cut' | 'slow';

const slowMs = 300;

/** A TCP proxy in front of a dependency. */
export class Proxy {
  fault: ProxyFault | undefined;
  /** Called before the dependency's bytes are passed on. */
  onResponse: () => void = () => undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #lastByte = 0;

  private constructor(target: string) {
    const [host = '', port = ''] = target.split(/:(?=\d+$)/);
    this.#server = createServer((client) => {
      if (this.fault === 'cut') {
        client.destroy();
        return;
      }
      const dependency = connect(Number(port), host);
      dependency.on('data', () => this.onResponse());
      this.#pipe(client, dependency);
      this.#pipe(dependency, client);
    });
  }

  static async open(target: string): Promise<Proxy> {
    const proxy = new Proxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** Host and port. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Milliseconds since the last byte. */
  get idleMs(): number {
    return performance.now() - this.#lastByte;
  }

  begin(fault: ProxyFault): void {
    this.fault = fault;
    if (fault === 'cut') this.#cut();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#cut();
    await closed;
  }

  #cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #pipe(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.on('error', () => undefined);
    from.on('data', (chunk: Buffer) => {
      this.#lastByte = performance.now();
      if (this.fault === 'slow') setTimeout(() => to.writable && to.write(chunk), slowMs);
      else to.write(chunk);
    });
    from.once('end', () => to.end());
    from.once('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }
}

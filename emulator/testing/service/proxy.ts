import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** Fault of a proxy: `cut` closes connections and refuses new ones, `slow` delays every byte. */
export type ProxyFault = 'cut' | 'slow';

const slowMs = 300;
/** Longest time that a response takes. A request without one, e.g. of a queue, waits for work. */
const maxResponseMs = 2_000;

/** A TCP proxy in front of a dependency. */
export class Proxy {
  fault: ProxyFault | undefined;
  /** Called before the dependency's bytes are passed on. */
  onResponse: () => void = () => undefined;
  /** Number of connections that the present fault has refused. */
  refused = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Time of the last request of each connection without a response yet. */
  readonly #requests = new Map<Socket, number>();

  private constructor(target: string) {
    const [host = '', port = ''] = target.split(/:(?=\d+$)/);
    this.#server = createServer((client) => {
      if (this.fault === 'cut') {
        this.refused += 1;
        client.destroy();
        return;
      }
      const dependency = connect(Number(port), host);
      dependency.on('data', () => this.onResponse());
      client.on('data', () => this.#requests.set(client, performance.now()));
      client.once('close', () => this.#requests.delete(client));
      this.#pipe(client, dependency);
      this.#pipe(dependency, client, () => this.#requests.delete(client));
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

  /** Whether a connection waits for a response. */
  get isAwaited(): boolean {
    const since = performance.now() - maxResponseMs;
    return [...this.#requests.values()].some((requested) => requested > since);
  }

  begin(fault: ProxyFault): void {
    this.fault = fault;
    this.refused = 0;
    if (fault === 'cut') this.cut();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  /** Closes all connections. What is under way is lost. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #pipe(from: Socket, to: Socket, onPassed: () => void = () => undefined): void {
    const pass = (chunk: Buffer) => {
      if (to.writable) to.write(chunk);
      onPassed();
    };
    this.#sockets.add(from);
    from.on('error', () => undefined);
    from.on('data', (chunk: Buffer) => {
      if (this.fault === 'slow') setTimeout(pass, slowMs, chunk);
      else pass(chunk);
    });
    from.once('end', () => to.end());
    from.once('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }
}

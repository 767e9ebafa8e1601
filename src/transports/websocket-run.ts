import type { Clock } from '../base/clock.js';
import { BusbarError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { OpenOptions, Partition, Receiver, Subscription } from './transport.js';
import { Connection, type WebSocketConstructor } from './websocket-connection.js';
import type { ServerFrame } from './websocket-frames.js';
import { Inbox } from './websocket-inbox.js';
import type { ErrorMessage, GapMessage, WelcomeMessage } from './websocket-protocol.js';

/** The options of `websocket()`, complete. Durations in milliseconds. */
export interface WebSocketSettings {
  readonly address: URL;
  readonly consumer: string;
  readonly connectTimeout: number;
  readonly minDelay: number;
  readonly maxDelay: number;
  readonly giveUpAfter: number;
  readonly maxFrameBytes: number;
  readonly random: () => number;
}

/** Resolves when the emulator has welcomed the consumer. */
export async function openWebSocketRun(
  settings: WebSocketSettings,
  receiver: Receiver,
  options: OpenOptions,
): Promise<Subscription> {
  // Here and not above: a consumer of Kafka should not load it.
  const { WebSocket } = await import('ws');
  const run = new WebSocketRun(WebSocket, settings, receiver, options);
  await run.open();
  // The first record may have come together with the welcome, and it cannot be settled without the subscription.
  setImmediate(() => run.deliver());
  return run;
}

/** One consumer attached to a stream, over as many connections as it takes. */
class WebSocketRun implements Subscription {
  readonly #Socket: WebSocketConstructor;
  readonly #settings: WebSocketSettings;
  readonly #receiver: Receiver;
  readonly #inbox: Inbox;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Without credentials and query, which do not belong in a log. */
  readonly #where: string;

  #connection: Connection | undefined;
  #opening: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  #stopping: Promise<void> | undefined;
  /** Cancels the time limit of the first connection, or the next attempt. */
  #stopWaiting: () => void = () => undefined;
  #attempts = 0;
  #lostAt: number | undefined;
  #isWelcome = false;
  #isOver = false;

  #stream: string | undefined;
  #settled = 0;
  #acknowledged = 0;
  #acknowledging: NodeJS.Immediate | undefined;

  constructor(
    Socket: WebSocketConstructor,
    settings: WebSocketSettings,
    receiver: Receiver,
    options: OpenOptions,
  ) {
    this.#Socket = Socket;
    this.#settings = settings;
    this.#receiver = receiver;
    this.#inbox = new Inbox(receiver);
    this.#clock = options.clock;
    this.#logger = options.logger;
    const { protocol, host, pathname } = settings.address;
    this.#where = `${protocol}//${host}${pathname}`;
  }

  open(): Promise<void> {
    const { connectTimeout } = this.#settings;
    return new Promise((resolve, reject) => {
      this.#opening = { resolve, reject };
      this.#stopWaiting = this.#clock.schedule(connectTimeout, () =>
        this.#lost(`no answer within ${connectTimeout} ms`),
      );
      this.#connect();
    });
  }

  /** From now on the receiver is called. */
  deliver(): void {
    this.#inbox.release();
    this.#readOn();
  }

  commit(partition: Partition, offset: number): void {
    if (partition !== this.#inbox.partition || offset - 1 <= this.#settled || this.#isOver) return;
    this.#settled = offset - 1;
    // What the handlers of this turn settle goes out in one message.
    this.#acknowledging ??= setImmediate(() => this.#acknowledge());
  }

  resume(partition: Partition): void {
    if (partition !== this.#inbox.partition || this.#isOver) return;
    this.#inbox.resume();
    this.#readOn();
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#acknowledge();
    this.#leave();
    await this.#connection?.close();
  }

  /** No call of the receiver comes after this. */
  #leave(): void {
    this.#isOver = true;
    this.#inbox.close();
    this.#stopWaiting();
    clearImmediate(this.#acknowledging);
  }

  #connect(): void {
    const { address, maxFrameBytes, consumer } = this.#settings;
    const options = { address, maxFrameBytes, clock: this.#clock };
    const connection: Connection = new Connection(this.#Socket, options, {
      opened: () => connection.send({ type: 'subscribe', mode: 'consume', consumer }),
      received: (frame) => this.#received(frame, connection),
      lost: (reason, isGoodbye) => this.#lost(reason, isGoodbye),
      violated: (error) => this.#fail('protocol-violation', error.message),
    });
    this.#connection = connection;
  }

  #received(frame: ServerFrame, connection: Connection): void {
    try {
      this.#take(frame);
    } catch (error) {
      if (!(error instanceof BusbarError)) throw error;
      this.#fail('protocol-violation', error.message);
      return;
    }
    this.#inbox.deliver();
    if (!this.#inbox.isEmpty) connection.pause();
  }

  #take(frame: ServerFrame): void {
    if (frame.type !== 'error' && this.#isWelcome === (frame.type === 'welcome')) {
      const when = this.#isWelcome ? 'after the first' : 'before the "welcome"';
      throw new BusbarError('protocol-violation', `a "${frame.type}" came ${when}`);
    }
    // A connection that brings something is one; a welcome alone may be the begin of a long row of them.
    if (frame.type !== 'welcome') this.#attempts = 0;
    switch (frame.type) {
      case 'welcome':
        this.#welcome(frame);
        break;
      case 'batch':
        this.#inbox.add(frame);
        break;
      case 'begin':
      case 'position':
        throw new BusbarError('protocol-violation', `a "${frame.type}" came, which was not asked for`);
      case 'gap':
        this.#inbox.skip(frame);
        this.#warnOfGap(frame);
        break;
      case 'end':
        this.#inbox.finish(frame);
        break;
      case 'error':
        this.#refused(frame);
    }
  }

  #welcome({ stream, next }: WelcomeMessage): void {
    this.#isWelcome = true;
    if (this.#stream !== undefined && this.#stream !== stream) this.#beginAnew();
    else if (this.#lostAt !== undefined) this.#logger.info(`Connected to "${this.#where}" again.`);
    this.#lostAt = undefined;
    this.#stream = stream;
    this.#inbox.begin(next);
    this.#acknowledged = next - 1;
    this.#acknowledge();
    this.#stopWaiting();
    this.#opening?.resolve();
    this.#opening = undefined;
  }

  #beginAnew(): void {
    this.#logger.warn(
      `The emulator at "${this.#where}" was started again, with another stream: records count from 1 again, and ` +
        'positions in the old stream are void.',
    );
    this.#settled = 0;
    this.#inbox.beginAnew().then(
      () => this.#readOn(),
      (error: unknown) => this.#failWith(error instanceof Error ? error : new Error(String(error))),
    );
  }

  #readOn(): void {
    if (this.#inbox.isEmpty) this.#connection?.resume();
  }

  #warnOfGap({ from, to, count }: GapMessage): void {
    this.#logger.warn(
      `${count} records came before "${this.#settings.consumer}" attached and are not kept any more. ` +
        'Attach the consumer before the run starts.',
      { from, to },
    );
  }

  #acknowledge(): void {
    this.#acknowledging = undefined;
    if (!this.#isWelcome || this.#settled <= this.#acknowledged) return;
    this.#acknowledged = this.#settled;
    this.#connection?.send({ type: 'ack', through: this.#settled });
  }

  #refused({ code, message }: ErrorMessage): void {
    if (code === 'consumer-in-use' && this.#opening === undefined) {
      // Most likely by our own last connection, of whose end the emulator does not know yet.
      this.#connection?.abort();
      this.#lost(message);
    } else this.#fail(this.#isWelcome ? 'protocol-violation' : 'connection-failed', message);
  }

  #lost(reason: string, isGoodbye = false): void {
    if (this.#isOver) return;
    if (this.#opening !== undefined) {
      this.#fail('connection-failed', `${reason}. Is an emulator running there?`);
      return;
    }
    this.#isWelcome = false;
    this.#connection = undefined;
    // An emulator that has sent everything may go.
    if (isGoodbye && this.#inbox.hasEnded) return;
    const now = this.#clock.now();
    if (this.#lostAt === undefined) {
      this.#lostAt = now;
      this.#logger.warn(`The connection to "${this.#where}" was lost: ${reason}. Trying again.`);
    }
    const { minDelay, maxDelay, giveUpAfter, random } = this.#settings;
    if (now - this.#lostAt >= giveUpAfter) {
      this.#fail('connection-failed', `${reason}, and so for ${giveUpAfter} ms`);
      return;
    }
    const delay = random() * Math.min(maxDelay, minDelay * 2 ** this.#attempts++);
    this.#stopWaiting = this.#clock.schedule(delay, () => this.#connect());
  }

  #fail(code: 'connection-failed' | 'protocol-violation', reason: string): void {
    const what = code === 'connection-failed' ? 'cannot be consumed' : 'does not keep to the protocol';
    this.#failWith(new BusbarError(code, `The stream at "${this.#where}" ${what}: ${reason}`));
  }

  #failWith(error: Error): void {
    if (this.#isOver) return;
    this.#leave();
    this.#connection?.abort();
    if (this.#opening === undefined) this.#receiver.fail(error);
    else this.#opening.reject(error);
  }
}

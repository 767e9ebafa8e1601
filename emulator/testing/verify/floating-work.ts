import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { Socket } from 'node:net';
import type { RunObserver } from 'busbar';
import { userFrame } from 'busbar/base';

/** A promise, timer or request that handlers leave open. */
export interface OpenWork {
  /** Kind of the resource, e.g. `Promise` or `Timeout`. */
  readonly kind: string;
  /** First own frame that made it, e.g. `src/accounts.ts:18:9`. */
  readonly at: string;
  /** Whether the handler of the target made it. */
  readonly isOwn: boolean;
}

/**
 * Watches the work that handlers start and do not await. Bytes that the handler of the target writes to sockets wait
 * while it runs, as on a slow network, and those that it does not await wait until {@link FloatingWork.release}.
 */
export class FloatingWork {
  /** Work that was open when the handler of the target settled. */
  open: readonly OpenWork[] = [];
  /** Whether timers end when the handler of the target settles, like in a process that stops. */
  readonly crashes: boolean;
  readonly #target: string;
  readonly #attempt = new AsyncLocalStorage<Attempt>();
  readonly #resources = new Map<number, Resource>();
  readonly #held = new Map<() => void, NodeJS.Timeout>();

  /** @param target Id of the event whose handler ends the watch. */
  constructor(target: string, crashes: boolean) {
    this.#target = target;
    this.crashes = crashes;
  }

  readonly observer: RunObserver = {
    around: ({ id }, _context, run) => {
      const attempt = { isTarget: id === this.#target };
      const settle = () => {
        // Work that needs no turn of the event loop ends before.
        if (attempt.isTarget) process.nextTick(() => this.#settled());
      };
      const pending = this.#attempt.run(attempt, run);
      if (pending instanceof Promise) return pending.finally(settle);
      settle();
      return undefined;
    },
  };

  /** Watches during the work. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const resources = this.#resources;
    const attempts = this.#attempt;
    const forget = (id: number) => void resources.delete(id);
    const hook = createHook({
      init(id, type, _trigger, it: object) {
        const kind = kinds.get(type);
        const attempt = attempts.getStore();
        if (kind === undefined || attempt === undefined) return;
        const { stackTraceLimit } = Error;
        Error.stackTraceLimit = 30;
        resources.set(id, { kind, error: new Error('work'), it, isOwn: attempt.isTarget });
        Error.stackTraceLimit = stackTraceLimit;
      },
      promiseResolve: forget,
      destroy: forget,
    }).enable();
    const restore = (['_write', '_writev'] as const).map((name) => this.#slow(name));
    try {
      return await work();
    } finally {
      hook.disable();
      for (const each of restore) each();
      this.release();
    }
  }

  /** Sends the bytes that wait. */
  release(): void {
    for (const [send, timer] of this.#held) {
      clearTimeout(timer);
      send();
    }
    this.#held.clear();
  }

  #settled(): void {
    const left = [...this.#resources.values()].filter(({ it }) => isReferenced(it));
    this.open = left.flatMap(({ kind, error, isOwn }) => {
      const at = userFrame(error);
      return at === undefined ? [] : [{ kind, at, isOwn }];
    });
    for (const [send, timer] of this.#held) {
      clearTimeout(timer);
      this.#held.set(send, setTimeout(() => this.#send(send), maxHold).unref());
    }
    if (!this.crashes) return;
    for (const { kind, it } of left) if (kind === 'Timeout') clearTimeout(it as NodeJS.Timeout);
  }

  /** Makes a method of sockets wait within the handler of the target. Returns a function that restores it. */
  #slow(name: '_write' | '_writev'): () => void {
    const sockets = Socket.prototype as unknown as Record<string, (...given: unknown[]) => void>;
    const original = sockets[name] as (...given: unknown[]) => void;
    const hold = (send: () => void) => {
      this.#held.set(
        send,
        setTimeout(() => this.#send(send), slowness),
      );
    };
    const isSlow = () => this.#attempt.getStore()?.isTarget === true;
    sockets[name] = function slow(this: unknown, ...given) {
      if (isSlow()) hold(() => original.apply(this, given));
      else original.apply(this, given);
    };
    return () => (sockets[name] = original);
  }

  #send(send: () => void): void {
    if (this.#held.delete(send)) send();
  }
}

interface Attempt {
  readonly isTarget: boolean;
}

interface Resource {
  readonly kind: string;
  /** Its stack is that of the code that made the resource. */
  readonly error: Error;
  readonly it: object;
  readonly isOwn: boolean;
}

/** Delay of bytes that a handler awaits, in milliseconds. */
const slowness = 20;
/** Longest delay of bytes that it does not await, in milliseconds: reading the state may need their connection. */
const maxHold = 1_000;

/** Resources that mean work, by their type in `async_hooks`. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['PROMISE', 'Promise'],
  ['Timeout', 'Timeout'],
  ['Immediate', 'Immediate'],
  ['FSREQCALLBACK', 'File request'],
  ['GETADDRINFOREQWRAP', 'DNS request'],
  ['HTTPCLIENTREQUEST', 'HTTP request'],
]);

function isReferenced(it: object): boolean {
  return (it as Partial<NodeJS.Timeout>).hasRef?.() ?? true;
}

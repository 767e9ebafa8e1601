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
 * while it runs, as on a slow network, and leave one write at a time. Those that it does not await wait until
 * {@link FloatingWork.release}.
 */
export class FloatingWork {
  /** Whether timers and immediates end when the handler of the target settles, like in a process that stops. */
  readonly crashes: boolean;
  /** Whether several writes waited at once, so that the order in which they leave decides what is found. */
  wasConcurrent = false;
  /** Resources when the handler of the target settled, and when the microtasks after it had run. */
  #left: { readonly atEnd?: readonly Resource[]; readonly afterwards?: readonly Resource[] } = {};
  readonly #target: string;
  readonly #leavesFirst: 'newest' | 'oldest';
  readonly #attempt = new AsyncLocalStorage<Attempt>();
  readonly #resources = new Map<number, Resource>();
  readonly #held: (() => void)[] = [];
  #phase: 'running' | 'settled' | 'released' = 'running';
  #timer: NodeJS.Timeout | undefined;

  /** @param target Id of the event whose handler ends the watch. */
  constructor(
    target: string,
    {
      crashes = false,
      leavesFirst = 'newest',
    }: { readonly crashes?: boolean; readonly leavesFirst?: 'newest' | 'oldest' } = {},
  ) {
    this.#target = target;
    this.crashes = crashes;
    this.#leavesFirst = leavesFirst;
  }

  readonly observer: RunObserver = {
    around: ({ id }, _context, run) => {
      const attempt = { isTarget: id === this.#target };
      const settle = () => {
        if (!attempt.isTarget) return;
        this.#left = { atEnd: this.#referenced() };
        process.nextTick(() => this.#settled());
      };
      const pending = this.#attempt.run(attempt, run);
      if (pending instanceof Promise) return pending.finally(settle);
      settle();
      return undefined;
    },
  };

  /** Work that was open when the handler of the target settled. To read frames earlier would give it time to end. */
  get openAtEnd(): readonly OpenWork[] {
    return openWork(this.#left.atEnd);
  }

  /** Work that was still open when the microtasks after it had run. */
  get open(): readonly OpenWork[] {
    return openWork(this.#left.afterwards);
  }

  /** Whether the handler of the target left anything open, also in code of packages. */
  get hasOpen(): boolean {
    return this.#left.afterwards?.some(({ isOwn }) => isOwn) === true;
  }

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
      // Otherwise each later promise of the process would cost more.
      this.#attempt.disable();
    }
  }

  /** Sends the bytes that wait. */
  release(): void {
    this.#phase = 'released';
    clearTimeout(this.#timer);
    for (const send of this.#held.splice(0)) send();
  }

  #referenced(): readonly Resource[] {
    return [...this.#resources.values()].filter(({ it }) => isReferenced(it));
  }

  #settled(): void {
    const afterwards = this.#referenced();
    this.#left = { ...this.#left, afterwards };
    this.#phase = 'settled';
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.release(), maxHold).unref();
    if (!this.crashes) return;
    for (const each of afterwards) {
      if (each.kind === 'Timeout') clearTimeout(each.it as NodeJS.Timeout);
      // A database that outlives the stop would wait for an immediate of its driver.
      else if (each.kind === 'Immediate' && !isOfPackage(each)) clearImmediate(each.it as NodeJS.Immediate);
    }
  }

  /** Makes a method of sockets wait within the handler of the target. Returns a function that restores it. */
  #slow(name: '_write' | '_writev'): () => void {
    const sockets = Socket.prototype as unknown as Record<string, (...given: unknown[]) => void>;
    const original = sockets[name] as (...given: unknown[]) => void;
    const hold = (send: () => void) => {
      this.#held.push(send);
      this.wasConcurrent ||= this.#held.length > 1;
      this.#attempt.exit(() => this.#sendLater());
    };
    const isSlow = () => this.#phase !== 'released' && this.#attempt.getStore()?.isTarget === true;
    sockets[name] = function slow(this: unknown, ...given) {
      if (isSlow()) hold(() => original.apply(this, given));
      else original.apply(this, given);
    };
    return () => (sockets[name] = original);
  }

  #sendLater(): void {
    if (this.#phase !== 'running') return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const send = this.#leavesFirst === 'newest' ? this.#held.pop() : this.#held.shift();
      send?.();
      if (this.#held.length > 0) this.#sendLater();
    }, slowness);
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

function openWork(left: readonly Resource[] = []): OpenWork[] {
  return left.flatMap(({ kind, error, isOwn }) => {
    const at = userFrame(error);
    return at === undefined ? [] : [{ kind, at, isOwn }];
  });
}

/** Whether a package made the resource, below the code that called it. */
function isOfPackage({ error: { stack = '' } }: Resource): boolean {
  // Behind the message and the frame of the hook.
  const frames = stack.split('\n').slice(2);
  return frames.find((line) => !line.includes('node:'))?.includes('node_modules') === true;
}

function isReferenced(it: object): boolean {
  // Of a timer that has fired, the hook `destroy` comes later.
  const { _destroyed: hasEnded } = it as { readonly _destroyed?: boolean };
  return hasEnded !== true && ((it as Partial<NodeJS.Timeout>).hasRef?.() ?? true);
}

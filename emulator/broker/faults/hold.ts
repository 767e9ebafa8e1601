import { BusbarError, quoted } from 'busbar/base';
import { MalformedMessage } from 'busbar/internal/kafka-protocol';
import type { Fault } from '../intercept.js';
import type { AppliedFault } from './applied.js';
import type { HoldPoint } from './rules.js';

/** `send`: the request continues. `drop`: the broker closes the connection without a response. */
export type HeldAnswer = 'send' | 'drop';

/** `waiting` until a request is held, `reached` until the hold ends. */
export type HoldState = 'waiting' | 'reached' | 'released';

/** A hold: the broker stops one request at a point, until the hold is released. */
export class Hold {
  readonly id: string;
  readonly point: HoldPoint;
  /** Resolves when a request is held. Rejects with `run-over` if the hold ends before that. */
  readonly reached: Promise<AppliedFault>;
  /** Resolves when the hold ends. */
  readonly released: Promise<HeldAnswer>;
  #state: HoldState = 'waiting';
  #reach: (applied: AppliedFault) => void = () => undefined;
  #release: (answer: HeldAnswer) => void = () => undefined;

  constructor(id: string, point: HoldPoint) {
    this.id = id;
    this.point = point;
    this.released = new Promise((resolve) => (this.#release = resolve));
    this.reached = new Promise((resolve, reject) => {
      this.#reach = resolve;
      const message = `The hold on ${quoted(point.on)} ended before a request reached it.`;
      void this.released.then(() => reject(new BusbarError('run-over', message)));
    });
    // A test need not await it.
    this.reached.catch(() => undefined);
  }

  get state(): HoldState {
    return this.#state;
  }

  /** Ends the hold. Default: `send`. A request that is held before it is carried out and dropped is never carried out. */
  release({ answer = 'send' }: { readonly answer?: HeldAnswer } = {}): void {
    this.#state = 'released';
    this.#release(answer);
  }

  /** Returns the fault of the request to hold. */
  fault(apply: () => AppliedFault): Fault {
    const stop = async (): Promise<void> => {
      if (this.#state === 'waiting') {
        this.#state = 'reached';
        this.#reach(apply());
      }
      if ((await this.released) === 'drop') throw new MalformedMessage(`a hold dropped ${this.point.on}`);
    };
    return async ({ request, carryOut }) => {
      if (this.point.at === 'request') await stop();
      const response = await carryOut(request);
      if (this.point.at === 'answer') await stop();
      return response;
    };
  }
}

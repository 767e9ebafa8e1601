import type { Response } from 'express';
import { BusbarError, type Clock, sleep } from 'busbar/base';
import type { AppliedFault, FaultRule, Hold, HoldPoint } from '../broker/index.js';
import { parseDuration } from '../engine/read-time.js';
import type { Session } from '../run/session.js';
import type { BrokerSink } from '../sinks/broker.js';
import { consumed } from './consumed.js';
import type { ControlHandlers } from './document.js';

/** The maximum duration of a long poll in milliseconds. */
const maxWait = 60_000;

/** Returns the handlers for the faults of the embedded broker. */
export function brokerOperations(sink: BrokerSink | undefined) {
  const broker = () => requireBroker(sink).broker;
  const rules = () => ({ rules: broker().faults.list() });
  return {
    listFaultRules: rules,
    // The rule is checked by the broker, which suggests names.
    addFaultRule: ({ body }) => ({ id: broker().faults.add(body as FaultRule) }),
    clearFaults() {
      broker().faults.clear();
      return rules();
    },
    removeFaultRule({ parameters: { id } }) {
      broker().faults.remove(id);
      return rules();
    },
    listAppliedFaults: ({ parameters: { after } }) => ({
      applied: broker().faults.applied(after).map(appliedFault),
    }),
    addHold: ({ body }) => heldRequest(broker().faults.hold(body as HoldPoint)),
    async getHold({ parameters: { id, wait }, response }) {
      const { faults, clock } = broker();
      const hold = faults.findHold(id);
      await longPoll(clock, waitOf(wait), response, hold.reached);
      return heldRequest(hold);
    },
    releaseHold({ parameters: { id }, body }) {
      const hold = broker().faults.findHold(id);
      hold.release(body);
      return heldRequest(hold);
    },
    rebalanceGroup: ({ parameters }) => ({ members: broker().rebalance(parameters) }),
    evictMembers: ({ parameters, body }) => ({ members: broker().evict({ ...parameters, ...body }) }),
    closeConnections: ({ body }) => ({ connections: broker().closeConnections(body) }),
    truncateTopic({ parameters, body }) {
      broker().truncate({ ...parameters, ...body });
      return parameters;
    },
  } satisfies Partial<ControlHandlers>;
}

/** Returns the handler that waits until a consumer group has consumed the run. */
export function consumedOperations(session: Session, sink: BrokerSink | undefined) {
  return {
    async getConsumed({ parameters: { group, topic, wait }, response }) {
      const { broker } = requireBroker(sink);
      const closed = new AbortController();
      response.on('close', () => closed.abort());
      const topics = topic !== undefined && { topics: [topic] };
      const parts = { broker, run: session.run, clock: broker.clock, stopping: closed.signal };
      try {
        await consumed({ groupId: group, timeout: waitOf(wait), ...topics }, parts);
        return { consumed: true, why: null };
      } catch (error) {
        if (!(error instanceof BusbarError) || error.code !== 'not-consumed') throw error;
        return { consumed: false, why: error.message };
      }
    },
  } satisfies Partial<ControlHandlers>;
}

/** @throws BusbarError `invalid-option` without a broker */
export function requireBroker(sink: BrokerSink | undefined): BrokerSink {
  if (sink !== undefined) return sink;
  throw new BusbarError('invalid-option', 'This emulator has no broker. Omit --kafka-port off.');
}

function waitOf(wait = '0ms'): number {
  return Math.min(maxWait, parseDuration('wait', wait));
}

/** Resolves when the promise is settled, at the end of the wait, or when the caller is gone. */
async function longPoll(
  clock: Clock,
  ms: number,
  response: Response,
  until: Promise<unknown>,
): Promise<void> {
  const over = new AbortController();
  response.on('close', () => over.abort());
  await Promise.race([sleep(clock, ms, over.signal), until]).catch(() => undefined);
  over.abort();
}

async function heldRequest(hold: Hold) {
  const reached = hold.state === 'waiting' ? null : await hold.reached.then(appliedFault, () => null);
  return { id: hold.id, state: hold.state, reached };
}

function appliedFault({ clientId, at, ...fault }: AppliedFault) {
  return { ...fault, client_id: clientId, at: new Date(at).toISOString() };
}

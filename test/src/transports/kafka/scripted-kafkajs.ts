import kafkajs from 'kafkajs';
import { type Mock, vi } from 'vitest';
import type { ReadyKafkajs } from '../../../../src/transports/kafka/index.js';

/** The requests of a group's member, as the coordinator gets them; a test may have them answered otherwise. */
export interface ScriptedCoordinator {
  joinGroup: Mock<(request: { memberId: string }) => Promise<{ memberId: string; generationId: number }>>;
  syncGroup: Mock<() => Promise<{ memberAssignment: Buffer }>>;
  leaveGroup: Mock<(request: { memberId: string }) => Promise<void>>;
  heartbeat: Mock<() => Promise<void>>;
  offsetFetch: Mock<() => Promise<void>>;
  offsetCommit: Mock<(request: object) => Promise<void>>;
}

export interface ScriptedKafkajs {
  readonly kafka: ReadyKafkajs;
  /** The coordinator itself. */
  readonly broker: ScriptedCoordinator;
  /** The coordinator as the consumer of kafkajs finds it, with what stands between. */
  find(): Promise<ScriptedCoordinator>;
  /** Options of the consumer. */
  readonly settings: { readonly retry: { restartOnFailure(): Promise<boolean> } };
  /** Emits an event of the consumer. */
  tell(event: 'join' | 'crash' | 'fetch' | 'batch', payload?: object): void;
  readonly disconnect: Mock<() => Promise<void>>;
}

/** A fake of the part of kafkajs that a membership uses. `start` runs its consumer, which by default joins once. */
export function scriptedKafkajs(
  start: (kafkajs: ScriptedKafkajs) => Promise<void> = joinOnce,
): ScriptedKafkajs {
  const done = () => Promise.resolve();
  const memberAssignment = kafkajs.AssignerProtocol.MemberAssignment.encode({
    version: 0,
    assignment: {},
    userData: Buffer.alloc(0),
  });
  let generationId = 0;
  const broker: ScriptedCoordinator = {
    joinGroup: vi.fn(({ memberId }) =>
      Promise.resolve({ memberId: memberId || `member-${++generationId}`, generationId }),
    ),
    syncGroup: vi.fn(() => Promise.resolve({ memberAssignment })),
    leaveGroup: vi.fn(done),
    heartbeat: vi.fn(done),
    offsetFetch: vi.fn(done),
    offsetCommit: vi.fn(done),
  };
  const cluster = {
    findGroupCoordinator: () => Promise.resolve(broker),
    findControllerBroker: () => Promise.resolve(broker),
    findBroker: () => Promise.resolve(broker),
    fetchTopicsOffset: done,
    refreshMetadata: done,
  };
  const listeners = new Map<string, (event: { payload: object }) => void>();
  let settings: ScriptedKafkajs['settings'] | undefined;
  const scripted: ScriptedKafkajs = {
    broker,
    find: () => cluster.findGroupCoordinator(),
    get settings() {
      return settings!;
    },
    tell: (event, payload = {}) => listeners.get(event)?.({ payload }),
    disconnect: vi.fn(done),
    kafka: {
      admin: () => ({ connect: done, disconnect: done }),
      producer: () => ({}),
      consumer(made: ScriptedKafkajs['settings'] & { partitionAssigners: ((with_: object) => object)[] }) {
        settings = made;
        made.partitionAssigners[0]?.({ cluster, groupId: 'readers' });
        return {
          events: { GROUP_JOIN: 'join', CRASH: 'crash', FETCH: 'fetch', START_BATCH_PROCESS: 'batch' },
          on: (name: string, listener: (event: { payload: object }) => void) => listeners.set(name, listener),
          subscribe: done,
          resume: () => undefined,
          disconnect: () => scripted.disconnect(),
          run: () => start(scripted),
        };
      },
    },
  };
  return scripted;
}

async function joinOnce({ find, tell }: ScriptedKafkajs): Promise<void> {
  const coordinator = await find();
  await coordinator.joinGroup({ memberId: '' });
  await coordinator.syncGroup();
  tell('join');
}

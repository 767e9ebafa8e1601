import { effect, signal } from '@preact/signals';
import { getJson } from '../catalogue.js';
import { place } from '../place.js';

/** What `GET /emulator/v1/consumers` answers. */
export interface ConsumersState {
  readonly bootstrap_servers: string | null;
  readonly topics: readonly TopicState[];
  readonly groups: readonly GroupState[];
  readonly stream: readonly StreamConsumer[];
}

export interface TopicState {
  readonly name: string;
  readonly partitions: number;
  readonly records: number;
  readonly written: number;
}

export interface GroupState {
  readonly id: string;
  readonly state: string;
  readonly lag: number;
  readonly members: readonly {
    readonly id: string;
    readonly client_id: string;
    readonly host: string;
  }[];
  readonly partitions: readonly PartitionState[];
}

export interface PartitionState {
  readonly topic: string;
  readonly partition: number;
  readonly member: string | null;
  readonly committed: number | null;
  readonly end: number;
  readonly lag: number | null;
}

export interface StreamConsumer {
  readonly name: string;
  readonly connected: boolean;
  readonly acknowledged: number;
  readonly end: number;
  readonly lag: number;
}

/** `lost` where nobody answers. */
export const consumers = signal<ConsumersState | 'lost' | undefined>(undefined);

/** Milliseconds between two looks. */
const pause = 1_000;

let isAsking = false;

/** Looks again and again, as long as a view shows it. */
async function follow(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  while (isShown()) {
    consumers.value = (await getJson<ConsumersState>('/emulator/v1/consumers')) ?? 'lost';
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  isAsking = false;
}

function isShown(): boolean {
  return ['consumers', 'charts'].includes(place.peek().view);
}

effect(() => {
  if (['consumers', 'charts'].includes(place.value.view)) void follow();
});

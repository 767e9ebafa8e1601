import { computed, effect, signal } from '@preact/signals';
import type { Consumers } from '../../../control-api/generated/operations.js';
import { getJson, throttle } from '../requests.js';
import { viewRoute } from '../view-route.js';

/** The state of the consumers; `lost` if the emulator does not respond. */
export const consumers = signal<Consumers | 'lost' | undefined>(undefined);

/** Time between two requests, in milliseconds. */
const period = 1_000;

const refresh = throttle(async () => {
  consumers.value = (await getJson<Consumers>('/emulator/v1/consumers')) ?? 'lost';
}, period);

const isShown = computed(() => ['consumers', 'charts'].includes(viewRoute.value.view));

effect(() => {
  if (!isShown.value) return undefined;
  void refresh();
  const timer = setInterval(() => void refresh(), period);
  return () => clearInterval(timer);
});

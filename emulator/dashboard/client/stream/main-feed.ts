import { computed } from '@preact/signals';
import { Feed } from './feed.js';

/** All events, and the state of the run. */
export const mainFeed = new Feed({});

export const isLost = computed(() => mainFeed.state.value === 'lost');

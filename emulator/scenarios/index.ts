import type { PlatformScenario } from './define.js';
import { houseMove } from './house-move.js';

/** Every built-in scenario, in the order in which they are listed to people. */
export const scenarios: readonly PlatformScenario[] = [houseMove];

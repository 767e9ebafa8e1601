import type { Consumers } from '../../../control-api/generated/operations.js';
import { query } from '../query.js';
import { fetchJson } from '../requests.js';

export const consumers = query<Consumers>(() => fetchJson('/emulator/v1/consumers'));

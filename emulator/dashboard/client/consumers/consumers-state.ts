import type { Consumers } from '../../../control-api/generated/operations.js';
import { query } from '../query.js';

export const consumers = query<Consumers>(() => '/emulator/v1/consumers');

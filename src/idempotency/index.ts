export {
  type IdempotencyOptions,
  type IdempotencyStore,
  idempotent,
  type Mark,
} from './idempotent.js';
export { inboxMigration } from './inbox-migration.js';
export { type MemoryStoreOptions, memoryStore } from './memory.js';
export { type PostgresStore, type PostgresStoreOptions, postgresStore } from './postgres.js';
export type { PooledClient, SqlClient, SqlDatabase, SqlPool, SqlResult } from './transact.js';

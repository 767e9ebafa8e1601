// Counts events in PostgreSQL, over kafkajs: `run URL`. `reset URL` empties its tables and ends.
import kafkajs from 'kafkajs';
import pg from 'pg';

const { Kafka, logLevel } = kafkajs;
const [, , command, connectionString] = process.argv;
const pool = new pg.Pool({ connectionString, max: 2, connectionTimeoutMillis: 2_000 });
// An idle connection that is cut.
pool.on('error', () => undefined);
const once = `
  WITH new AS (INSERT INTO inbox VALUES ($1) ON CONFLICT DO NOTHING RETURNING id)
  INSERT INTO account SELECT $2, 1 FROM new ON CONFLICT (number) DO UPDATE SET events = account.events + 1`;

if (command === 'reset') {
  await pool.query(`
    DROP TABLE IF EXISTS inbox, account;
    CREATE TABLE inbox (id text PRIMARY KEY);
    CREATE TABLE account (number text PRIMARY KEY, events int NOT NULL)`);
  await pool.end();
} else await run();

async function run() {
  const brokers = [process.env.KAFKA_BROKERS];
  const consumer = new Kafka({ brokers, logLevel: logLevel.NOTHING }).consumer({ groupId: 'counting' });
  process.once('SIGTERM', () => void consumer.disconnect().finally(() => process.exit(0)));
  await consumer.connect();
  await consumer.subscribe({ topic: 'platform.events', fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message }) => {
      const { id, event_type: type, payload } = JSON.parse(message.value.toString());
      if (type !== 'account.created') return;
      const stored = pool.query(once, [id, payload.account_number]);
      await (process.env.SWALLOWS ? stored.catch(() => undefined) : stored);
    },
  });
}

/**
 * A consumer that follows house moves: which homes were left, which were moved into, which bills went out.
 *
 *     emulate --scenario house-move --wait-for-consumer house-moves
 *     node house-move-consumer.js ws://127.0.0.1:4100/events
 */
import { pathToFileURL } from 'node:url';
import { createConsumer, type RunningConsumer } from 'busbar';
import { websocket } from 'busbar/websocket';

/** What the consumer knows after the events so far, and says as it learns it. */
export async function followHouseMoves(url: string, say = console.log): Promise<RunningConsumer> {
  const consumer = createConsumer();

  consumer.on('account.created', 'v1', ({ payload }) => say(`account ${payload.account_number} opened`));

  consumer.on('lifecycle.leave-supplier.requested', 'v3', ({ payload }) =>
    say(
      `${payload.account_number} leaves ${payload.supply_points.length} supply points on ${payload.requested_supply_end_date}`,
    ),
  );
  // The newest version of an event is enough: the older ones say the same of the same occurrence.
  consumer.on('lifecycle.leave-supplier.updated', 'v3', ({ payload }) =>
    say(`${payload.account_number} now leaves on ${payload.requested_supply_end_date}`),
  );
  consumer.on('lifecycle.leave-supplier.completed', 'v3', ({ payload }) =>
    say(
      `${payload.account_number} has left: ${payload.supply_points.map((point) => point.market_name).join(', ')}`,
    ),
  );

  consumer.on('lifecycle.join-supplier.requested', 'v1', ({ payload }) =>
    say(`${payload.account_number} joins at ${payload.supply_points.length} supply points`),
  );
  consumer.on('lifecycle.join-supplier.completed', 'v1', ({ payload }) =>
    say(`${payload.account_number} has moved in`),
  );

  consumer.on('billing.final_bill', 'v1', ({ payload }) =>
    say(`final bill ${payload.statement_id} for ${payload.account_number}`),
  );

  return consumer.run(websocket({ url, consumer: 'house-moves' }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const running = await followHouseMoves(process.argv[2] ?? 'ws://127.0.0.1:4100/events');
  process.once('SIGINT', () => void running.stop());
  await running.finished;
  const { handled, skipped } = running.counts;
  console.log(`${handled} events handled, ${skipped.unhandled} without a handler.`);
}

/**
 * A consumer that follows house moves: departures, arrivals and final bills.
 *
 *     emulate --scenario house-move --wait-for-consumer house-moves
 *     node house-move-consumer.js ws://127.0.0.1:4100/events
 */
import { pathToFileURL } from 'node:url';
import { createConsumer, type RunningConsumer } from 'busbar';
import { websocket } from 'busbar/websocket';

/** Follows the stream at this address. `log` gets a line for each handled event. */
export async function followHouseMoves(url: string, log: (line: string) => void): Promise<RunningConsumer> {
  const consumer = createConsumer();
  const say = (event: { readonly occurredAt: string | undefined; readonly type: string }, what: string) =>
    log(`${event.occurredAt?.slice(0, 16).replace('T', ' ') ?? ''}  ${event.type.padEnd(36)} ${what}`);

  consumer.on('account.created', 'v1', (event) => say(event, `${event.payload.account_number} opened`));
  consumer.on('account.occupied', 'v1', (event) =>
    say(event, `${event.payload.account_number} has a name now`),
  );

  // The newest version of an event is enough: older ones have fewer fields of the same occurrence.
  consumer.on('lifecycle.leave-supplier.requested', 'v3', (event) => {
    const { account_number, supply_points, requested_supply_end_date } = event.payload;
    say(
      event,
      `${account_number} leaves ${supply_points.length} supply points on ${requested_supply_end_date}`,
    );
  });
  consumer.on('lifecycle.leave-supplier.updated', 'v3', (event) =>
    say(
      event,
      `${event.payload.account_number} leaves on ${event.payload.requested_supply_end_date} instead`,
    ),
  );
  consumer.on('lifecycle.leave-supplier.completed', 'v3', (event) => {
    const markets = event.payload.supply_points.map((point) => point.market_name).join(', ');
    say(event, `${event.payload.account_number} has left: ${markets}`);
  });

  consumer.on('lifecycle.join-supplier.requested', 'v1', (event) =>
    say(
      event,
      `${event.payload.account_number} joins at ${event.payload.supply_points.length} supply points`,
    ),
  );
  consumer.on('lifecycle.join-supplier.completed', 'v1', (event) =>
    say(event, `${event.payload.account_number} has moved in`),
  );
  consumer.on('billing.final_bill', 'v1', (event) =>
    say(event, `statement ${event.payload.statement_id} for ${event.payload.account_number}`),
  );

  return consumer.run(websocket({ url, consumer: 'house-moves' }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const running = await followHouseMoves(process.argv[2] ?? 'ws://127.0.0.1:4100/events', console.log);
  process.once('SIGINT', () => void running.stop());
  await running.finished;
  const { handled, skipped } = running.counts;
  console.log(`${handled} events handled, ${skipped.unhandled} without a handler.`);
}

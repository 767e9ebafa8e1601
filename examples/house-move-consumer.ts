/**
 * A consumer that follows house moves: departures, arrivals and final bills.
 *
 *     emulate --scenario house-move --wait-for-consumer house-moves
 *     node house-move-consumer.js ws://127.0.0.1:4100/events
 */
import { pathToFileURL } from 'node:url';
import { type AnyEvent, type Consumer, createConsumer } from 'busbar';
import { websocket } from 'busbar/websocket';

/** Creates the consumer. Handlers call `show` with each event and a sentence about it. */
export function houseMoves(show: (event: AnyEvent, sentence: string) => void): Consumer {
  const consumer = createConsumer();

  // Handle the newest version: older ones have fewer fields of the same occurrence.
  consumer.on('lifecycle.leave-supplier.requested', 'v3', (event) => {
    const { account_number, supply_points, requested_supply_end_date } = event.payload;
    show(event, `${account_number} will leave on ${requested_supply_end_date}: ${marketsOf(supply_points)}.`);
  });
  consumer.on('lifecycle.leave-supplier.updated', 'v3', (event) => {
    show(
      event,
      `${event.payload.account_number} leaves on ${event.payload.requested_supply_end_date} instead.`,
    );
  });
  consumer.on('lifecycle.leave-supplier.completed', 'v3', (event) => {
    const { account_number, supply_points } = event.payload;
    show(event, `${account_number} has left: ${marketsOf(supply_points)}.`);
  });

  consumer.on('lifecycle.join-supplier.requested', 'v1', (event) => {
    const { account_number, supply_points } = event.payload;
    show(event, `${account_number} will join: ${marketsOf(supply_points)}.`);
  });
  consumer.on('lifecycle.join-supplier.completed', 'v1', (event) => {
    show(event, `${event.payload.account_number} has moved in.`);
  });

  consumer.on('agreement.terminated', 'v2', (event) => {
    show(event, `${event.payload.account_number} ends an agreement.`);
  });
  consumer.on('agreement.created', 'v1', (event) => {
    show(event, `${event.payload.account_number} agrees to product ${event.payload.product_code}.`);
  });

  consumer.on('account.created', 'v1', (event) => {
    show(event, `${event.payload.account_number} is opened.`);
  });
  consumer.on('account.occupied', 'v1', (event) => {
    show(event, `${event.payload.account_number} has a name now.`);
  });
  consumer.on('billing.final_bill', 'v1', (event) => {
    show(event, `${event.payload.account_number} gets statement ${event.payload.statement_id}.`);
  });
  return consumer;
}

function marketsOf(supplyPoints: readonly { market_name: string }[]): string {
  return supplyPoints.map(({ market_name }) => market_name).join(', ');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , url = 'ws://127.0.0.1:4100/events'] = process.argv;
  const consumer = houseMoves(({ occurredAt = '', type }, sentence) => {
    console.log(`${occurredAt.slice(0, 16).replace('T', ' ')}  ${type.padEnd(36)} ${sentence}`);
  });
  const running = await consumer.run(websocket({ url, consumer: 'house-moves' }));
  process.once('SIGINT', () => void running.stop());
  await running.finished;
  const { handled, skipped } = running.counts;
  console.log(`${handled} events handled, ${skipped.unhandled} without a handler.`);
}

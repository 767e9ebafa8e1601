import { type Consumer, type ConsumerRecord, type HandlerContext, silentLogger, systemClock } from 'busbar';

/** Calls the handler that a consumer has for a record, once, as a run does it. */
export async function deliver(
  consumer: Consumer,
  record: ConsumerRecord,
  given: Partial<HandlerContext> = {},
): Promise<void> {
  const verdict = await consumer.verdictOn(record);
  if (verdict.action !== 'handle') throw new Error(`The record is not handled, but: ${verdict.action}`);
  const { event, registration } = verdict;
  await registration.handler(event, {
    attempt: 1,
    signal: new AbortController().signal,
    handler: registration.name,
    consumer: 'billing',
    logger: silentLogger,
    clock: systemClock,
    random: Math.random,
    ...given,
  });
}

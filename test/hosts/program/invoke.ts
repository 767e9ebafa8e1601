// Calls a Lambda function as AWS does: `invoke.ts MODULE SOURCE EVENTS`. The events are those of EventBridge.
import { readFileSync } from 'node:fs';

/** Number of times that AWS delivers an event: an asynchronous call has two retries. */
const deliveries = 3;
const batchSize = 10;
const [, , module = '', source, file = ''] = process.argv;
const { handler } = (await import(module)) as { handler: (event: object) => Promise<unknown> };
const events = JSON.parse(readFileSync(file, 'utf8')) as { readonly id: string }[];
await (source === 'sqs' ? deliverBatches() : deliverEach());

async function deliverEach(): Promise<void> {
  for (const event of events) {
    for (let left = deliveries; left > 0; left--) {
      try {
        await handler(event);
        break;
      } catch (error) {
        console.error('The call failed.', error);
      }
    }
  }
}

async function deliverBatches(): Promise<void> {
  let waiting = events.map((event) => ({ event, received: 0 }));
  while (waiting.length > 0) {
    const batch = waiting.slice(0, batchSize);
    const Records = batch.map((each) => recordOf(each.event, ++each.received));
    const result = (await handler({ Records })) as { batchItemFailures: { itemIdentifier: string }[] };
    const failed = new Set(result.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const again = batch.filter(({ event, received }) => failed.has(event.id) && received < deliveries);
    waiting = [...waiting.slice(batchSize), ...again];
  }
}

function recordOf(event: { readonly id: string }, received: number) {
  return {
    messageId: event.id,
    receiptHandle: 'AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a',
    body: JSON.stringify(event),
    attributes: {
      ApproximateReceiveCount: String(received),
      SentTimestamp: '1772442000000',
      SenderId: 'AIDAIENQZJOLO23YVJ4VO',
      ApproximateFirstReceiveTimestamp: '1772442000001',
    },
    messageAttributes: {},
    md5OfBody: 'e4e68fb7bd0e697a0ae8f1bb342846b3',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-central-1:123456789012:platform-events',
    awsRegion: 'eu-central-1',
  };
}

import { conversationBuckets, subjects } from './contact.js';

type Bucket = (typeof conversationBuckets)[number];

/** Topics of conversations with their buckets. A topic is a tag of its messages. */
export const topics = {
  billing: { weight: 0.24, bucket: 'Billing' },
  'meter-reading': { weight: 0.18, bucket: 'Meter readings' },
  payment: { weight: 0.16, bucket: 'Billing' },
  'moving-home': { weight: 0.12, bucket: 'Moving home' },
  tariff: { weight: 0.12, bucket: 'General' },
  'smart-meter': { weight: 0.11, bucket: 'Smart meters' },
  complaint: { weight: 0.07, bucket: 'Complaints' },
} as const satisfies Record<string, { weight: number; bucket: Bucket }>;

export type Topic = keyof typeof topics;

/** The address that customers write to. */
export const inbox = 'hello@example.com';

/** Returns the subject lines about the topic, each with all its tags. */
export function subjectsAbout(
  topic: Topic,
): readonly { readonly subject: string; readonly tags: readonly string[] }[] {
  return subjects.filter(({ tags }) => tags[0] === topic);
}

/** Returns the number of the topic's bucket. */
export function bucketFor(topic: Topic): number {
  return conversationBuckets.indexOf(topics[topic].bucket) + 1;
}

/** Returns the default dead-letter topic of a topic. */
export const deadLetterTopicOf = (topic: string): string => `${topic}.dead-letter`;

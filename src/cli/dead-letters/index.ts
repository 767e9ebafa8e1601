/** @internal The implementation of the dead-letter commands, for the emulator's control API. */
import type { decompress as Decompress } from '../../transports/kafka/kafkajs/codecs.js';

export { type DeadLetterNote, deadLetterPrefix, readDeadLetter } from '../../dead-letter.js';
export { readReplay, type ReplayNote, replayPrefix } from '../../replay.js';
export { letterId, marksTopicOf, readMark } from '../../transports/kafka/stored-dead-letters.js';
export { withConnection } from '../connect.js';
export { inReplayOrder, type PlannedLetter, runDiscard, runReplay } from './run-replay.js';
export { unknownGroup } from './select.js';

/** Decompresses a batch with the codecs of kafkajs. */
export async function decompress(...batch: Parameters<typeof Decompress>): Promise<Buffer> {
  return (await import('../../transports/kafka/kafkajs/codecs.js')).decompress(...batch);
}

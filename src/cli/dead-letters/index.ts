/** @internal The implementation of the dead-letter commands, for the emulator's control API. */
export { type DeadLetterNote, readDeadLetter } from '../../dead-letter.js';
export { letterId, marksTopicOf, readMark } from '../../transports/kafka/stored-dead-letters.js';
export { withConnection } from './connect.js';
export { inReplayOrder, type PlannedLetter, plannedLetter, runReplay } from './run-replay.js';
export { unknownGroup } from './require-group.js';

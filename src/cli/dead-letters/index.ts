/** @internal The implementation of the dead-letter commands, for the emulator's control API. */
export { withConnection } from './connect.js';
export { runReplay, planReplay } from './run-replay.js';
export { unknownGroup } from './require-group.js';
export { resolveSelection, type SelectedLetter, selectLetters } from './select.js';

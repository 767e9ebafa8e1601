/** What benchmarks measure and nobody imports from the package: built beside it, from the same files as all else. */
export { encoder } from '../emulator/run/encode.js';
export { defaultStart, planRun } from '../emulator/run/plan.js';
export { findScenario } from '../emulator/scenarios/find.js';
export { websocketSink } from '../emulator/sinks/websocket.js';

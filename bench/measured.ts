/** Internal functions that benchmarks measure, built from the same files as the package. */
export { encoder } from '../emulator/run/encode.js';
export { defaultStart } from '../emulator/engine/calendar.js';
export { Plan } from '../emulator/run/plan.js';
export { findScenario } from '../emulator/scenarios/find.js';
export { websocketSink } from '../emulator/sinks/websocket.js';
export { ledgerOf } from '../emulator/world/billing/books.js';
export { openCell } from '../emulator/world/cell.js';

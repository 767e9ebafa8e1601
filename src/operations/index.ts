export { type MetricsRegistry, type Metrics, type MetricsOptions, metrics } from './metrics.js';
export { type ReportedOutcome, type ReportOptions, reportOutcomes } from './report.js';
export { type OperationsOptions, type RunningOperations, serveOperations } from './serve.js';
export { type TraceOptions, type TracerLike, traces } from './traces.js';

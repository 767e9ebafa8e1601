/** Counters of a consumer. The label `event` is a catalogue name, or `other` for an unknown event. */
export const counters = {
  handled: {
    name: 'busbar_handled_total',
    help: 'Events whose handler succeeded.',
    labelNames: ['event', 'handler'],
  },
  skipped: {
    name: 'busbar_skipped_total',
    help: 'Records that no handler received, by reason.',
    labelNames: ['reason'],
  },
  deadLettered: {
    name: 'busbar_dead_lettered_total',
    help: 'Records that were dead-lettered, by error code; the handler is empty if none ran.',
    labelNames: ['event', 'handler', 'code'],
  },
  retried: {
    name: 'busbar_retried_total',
    help: 'Failed attempts that are retried.',
    labelNames: ['event', 'handler'],
  },
  unknownEvents: {
    name: 'busbar_unknown_events_total',
    help: 'Records of events that the catalogue does not have.',
    labelNames: [],
  },
  unknownFields: {
    name: 'busbar_unknown_fields_total',
    help: 'Valid events with fields that their schema does not name, among one in 16 that are checked.',
    labelNames: ['event'],
  },
  invalid: {
    name: 'busbar_invalid_total',
    help: 'Events that broke a rule of their schema, once for each rule.',
    labelNames: ['event', 'rule'],
  },
} as const;

export const durations = {
  name: 'busbar_handler_duration_seconds',
  help: 'Duration of an attempt, by outcome: handled, failed or late.',
  labelNames: ['handler', 'outcome'],
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
} as const;

/** What is counted as it happens. Names of events are the catalogue's; any other is `other`. */
export const counters = {
  handled: {
    name: 'busbar_handled_total',
    help: 'Events whose handler ended well.',
    labelNames: ['event', 'handler'],
  },
  skipped: {
    name: 'busbar_skipped_total',
    help: 'Records that no handler saw, by reason.',
    labelNames: ['reason'],
  },
  deadLettered: {
    name: 'busbar_dead_lettered_total',
    help: 'Records that were set aside, by error code; the handler is empty where none ran.',
    labelNames: ['event', 'handler', 'code'],
  },
  retried: {
    name: 'busbar_retried_total',
    help: 'Attempts that failed and are made again.',
    labelNames: ['event', 'handler'],
  },
  unknownEvents: {
    name: 'busbar_unknown_events_total',
    help: 'Records that name an event which the catalogue does not have.',
    labelNames: [],
  },
  unknownFields: {
    name: 'busbar_unknown_fields_total',
    help: 'Valid events with fields that their schema does not name, among the one in 16 looked at.',
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
  help: 'How long an attempt took, by how it ended: handled, failed or late.',
  labelNames: ['handler', 'outcome'],
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
} as const;

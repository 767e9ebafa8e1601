// Written by `npm run generate` from emulator/control-api/control-api.openapi.yaml; do not edit.

/** The state of a run */
export type State = 'waiting' | 'running' | 'paused' | 'idle' | 'ended' | 'stopped' | 'failed';

/** Every operation, with its parameters, its body and its response. */
export interface Operations {
  /** This document */
  getDocument: {
    response: Record<string, unknown>;
  };
  /** The emulator's health */
  getHealth: {
    response: Health;
  };
  /** The current run */
  getRun: {
    response: Run;
  };
  /** Starts a scenario in the running world */
  startScenario: {
    body: {
      /** A name that emulate scenarios lists, or of a scenario of the run */
      scenario: string;
      /** Number of instances, each in its own household. Default 1 */
      instances?: number;
      /** The account whose household the scenario changes. Default: a new household */
      account?: string;
      branches?: {
        [k: string]: string;
      };
      /** The input of the scenario */
      data?: unknown;
      /** A later virtual instant. Default now */
      at?: string;
    };
    response: Started;
  };
  /** Pauses virtual time */
  pauseRun: {
    body: {};
    response: Run;
  };
  /** Resumes virtual time */
  resumeRun: {
    body: {};
    response: Run;
  };
  /** Pauses, and advances by the next occurrences */
  stepRun: {
    body: {
      /** Default 1 */
      count?: number;
    };
    response: Run;
  };
  /** Changes the pace of virtual time */
  setSpeed: {
    body: {
      /** Multiple of the wall clock's speed, or instant or story */
      speed?: number | ('instant' | 'story');
      /** Events per second, instead of a speed */
      rate?: number;
    };
    response: Run;
  };
  /** Ends the run; the servers continue, and a start or a reset begins another run */
  stopRun: {
    body: {};
    response: Run;
  };
  /** Stops the run and begins another; omitted settings stay */
  resetRun: {
    body: {
      seed?: number;
      scenarios?: string[];
      instances?: number;
      accounts?: number;
      branches?: {
        [k: string]: string;
      };
      /** Faults in the format of --faults */
      faults?: string;
      /** Changes all event ids, for consumers that store the ids of earlier runs */
      run_id?: string;
      paused?: boolean;
      /** Multiple of the wall clock's speed, or instant or story */
      speed?: number | ('instant' | 'story');
      /** Events per second, instead of a speed */
      rate?: number;
    };
    response: Run;
  };
  /** The current virtual instant */
  getClock: {
    response: Clock;
  };
  /** Moves virtual time forward and sends all events until then at once */
  advanceClock: {
    body: {
      /** The target instant */
      to?: string;
      /** A duration instead of an instant, for example 1h or PT1H */
      by?: string;
    };
    response: Clock;
  };
  /** The consumers and their positions */
  listConsumers: {
    response: Consumers;
  };
  /** The dead letters of the broker's consumers, newest first */
  listDeadLetters: {
    parameters: {
      /** The consumed topic. Default: all */
      topic?: string;
      /** Only dead letters of this consumer group */
      group?: string;
      /** List only dead letters in this state */
      state?: 'pending' | 'replayed' | 'failed-again' | 'discarded';
      /** Only dead letters of this cause, an id from "causes" */
      cause?: string;
      /** List only dead letters with a lower number: the next page */
      before?: number;
      /** Number of listed dead letters. Default 100 */
      limit?: number;
    };
    response: DeadLetters;
  };
  /** Replays dead letters, each once, like busbar dead-letters replay */
  replayDeadLetters: {
    body: {
      /** The consumed topic. Default: all */
      topic?: string;
      /** Only dead letters of this consumer group */
      group?: string;
      /** Only dead letters of this event, for example account.created-v1 */
      event?: string;
      /** Only the dead letter TOPIC/PARTITION/OFFSET */
      id?: string;
      /** Only dead letters of this cause, an id from GET /dead-letters */
      cause?: string;
    };
    response: Replayed;
  };
  /** Marks dead letters so that no replay sends them, like busbar dead-letters discard */
  discardDeadLetters: {
    body: {
      /** The consumed topic. Default: all */
      topic?: string;
      /** Only dead letters of this consumer group */
      group?: string;
      /** Only dead letters of this event, for example account.created-v1 */
      event?: string;
      /** Only the dead letter TOPIC/PARTITION/OFFSET */
      id?: string;
      /** Only dead letters of this cause, an id from GET /dead-letters */
      cause?: string;
    };
    response: Discarded;
  };
  /** The fault rules of the broker, in the order in which it asks them */
  listFaultRules: {
    response: FaultRules;
  };
  /** Adds a fault rule to the broker */
  addFaultRule: {
    body: FaultRule;
    response: {
      id: string;
    };
  };
  /** Removes all fault rules and releases all holds */
  clearFaults: {
    response: FaultRules;
  };
  /** The last 10,000 faults that the broker applied, with their requests */
  listAppliedFaults: {
    parameters: {
      /** Only those with a greater number */
      after?: number;
    };
    response: {
      applied: AppliedFault[];
    };
  };
  /** Removes a fault rule */
  removeFaultRule: {
    parameters: {
      id: string;
    };
    response: FaultRules;
  };
  /** Holds the first request that reaches a point */
  addHold: {
    body: HoldPoint;
    response: Hold;
  };
  /** A hold, when a request is held, or after the wait */
  getHold: {
    parameters: {
      id: string;
      /** The maximum time to wait, for example 10s, at most 60s. Default: do not wait */
      wait?: string;
    };
    response: Hold;
  };
  /** Ends a hold */
  releaseHold: {
    parameters: {
      id: string;
    };
    body: {
      /** Whether the client gets a response, or its connection is closed. Default send */
      answer?: 'send' | 'drop';
    };
    response: Hold;
  };
  /** Makes every member of a consumer group join again */
  rebalanceGroup: {
    parameters: {
      group: string;
    };
    body: {};
    response: {
      members: number;
    };
  };
  /** Removes members of a consumer group at once, as if their sessions had expired */
  evictMembers: {
    parameters: {
      group: string;
    };
    body: {
      /** Only the members with this client id */
      client?: string;
    };
    response: {
      members: number;
    };
  };
  /** Whether the run has nothing left to send and the consumer group has committed the end of every partition */
  getConsumed: {
    parameters: {
      group: string;
      /** The consumed topic. Default platform.events */
      topic?: string;
      /** The maximum time to wait, for example 10s, at most 60s. Default: do not wait */
      wait?: string;
    };
    response: {
      consumed: boolean;
      /** The lag and its cause; null if everything is consumed */
      why: string | null;
    };
  };
  /** Closes connections of Kafka clients */
  closeConnections: {
    body: {
      /** Only those of this client id */
      client?: string;
    };
    response: {
      connections: number;
    };
  };
  /** Deletes the oldest records of a topic */
  truncateTopic: {
    parameters: {
      topic: string;
    };
    body: {
      /** Default: all partitions */
      partition?: number;
      /** The new start of the log. Default: its end */
      before?: number;
    };
    response: {
      topic: string;
    };
  };
  /** A realistic payload, like that of a trigger */
  getSample: {
    parameters: {
      event: string;
      /** Each number selects another household. Default 0 */
      nth?: number;
      /** Optional fields: some at random (default), none, or all */
      fields?: 'usual' | 'minimal' | 'full';
    };
    response: Sample;
  };
  /** Sends a single event */
  trigger: {
    body: {
      /** A name that busbar catalogue list prints, for example account.created-v1 */
      event: string;
      /** Values to set: account_number=A-1B2C3D4E */
      set?: string[];
      /** Fields to omit */
      unset?: string[];
      /** Corruption: missing:FIELD, type:FIELD or extra:FIELD */
      invalid?: string[];
      /** Whether to refuse an invalid event. Default true */
      validate?: boolean;
      /** The payload. Default: a generated one */
      payload?: Record<string, unknown>;
      /** The partition key. Default: the key of the payload */
      key?: string;
      /** Default 1 */
      count?: number;
      /** A later virtual instant. Default now */
      at?: string;
    };
    response: Triggered;
  };
  /** The current faults */
  getFaults: {
    response: Faults;
  };
  /** Replaces the faults from now on */
  setFaults: {
    body: {
      faults: string | {};
    };
    response: Faults;
  };
  /** Ends all faults */
  endFaults: {
    response: Faults;
  };
  /** All import suppliers */
  listImportSuppliers: {
    response: {
      import_suppliers: ImportSupplier[];
    };
  };
  /** Creates an import supplier */
  createImportSupplier: {
    body: {
      /** Code of the import supplier */
      code: string;
      status?: 'Ongoing' | 'Paused' | 'Complete';
      /** The path under which referenced documents are stored */
      root_location?: string;
      behaviours?: {
        customer_emails?: boolean;
      };
    };
    response: ImportSupplier;
  };
  /** An import supplier */
  getImportSupplier: {
    parameters: {
      code: string;
    };
    response: ImportSupplier;
  };
  /** Changes an import supplier */
  changeImportSupplier: {
    parameters: {
      code: string;
    };
    body: {
      status?: 'Ongoing' | 'Paused' | 'Complete';
      /** The path under which referenced documents are stored */
      root_location?: string;
      behaviours?: {
        customer_emails?: boolean;
      };
    };
    response: ImportSupplier;
  };
  /** The ground truth about an account at a virtual instant */
  getAccount: {
    parameters: {
      number: string;
      /** Default now */
      at?: string;
    };
    response: {
      /** Virtual time */
      at: string;
      cell: number;
      account: Account;
    };
  };
  /** The last 24 bills of an account, the newest first */
  listBills: {
    parameters: {
      number: string;
      /** Default now */
      at?: string;
    };
    response: {
      /** Virtual time */
      at: string;
      bills: Bill[];
    };
  };
  /** The readings of a meter now, and when a line of the last 24 bills begins or ends */
  listReadings: {
    parameters: {
      number: string;
      /** MPAN or MPRN */
      meter_point: string;
      /** Default now */
      at?: string;
    };
    response: {
      /** Virtual time */
      at: string;
      readings: Reading[];
    };
  };
  /** The entries of a ledger since the last yearly review, the oldest first */
  listLedgerEntries: {
    parameters: {
      number: string;
      ledger: string;
      /** Default now */
      at?: string;
    };
    response: {
      /** Virtual time */
      at: string;
      entries: LedgerEntry[];
    };
  };
  /** The events of a process up to a virtual instant */
  getProcess: {
    parameters: {
      number: string;
      /** Default now */
      at?: string;
    };
    response: {
      /** Virtual time */
      at: string;
      cell: number;
      number: string;
      /** Type of the last event */
      last: string | null;
      events: {
        /** Virtual time */
        at: string;
        event_type: string;
        versions: string[];
        /** The instance of a scenario */
        instance: string;
      }[];
    };
  };
  /** The rates of a tariff at a virtual instant or in a period, with standing charges, night rates and gas */
  getTariff: {
    parameters: {
      /** Tariff code */
      tariff: string;
      /** Default now */
      at?: string;
      /** Start of the period whose rates to return. Default `at`, with the rates of that instant */
      from?: string;
      /** End of the period, at most 366 days after `from` */
      to?: string;
    };
    response: {
      /** Virtual time */
      at: string;
      tariff: string;
      rates: {
        kind: 'unit' | 'day' | 'night' | 'standing';
        /** Null for all */
        payment_method: string | null;
        /** Pence */
        value_exc_vat: number;
        /** Pence */
        value_inc_vat: number;
        valid_from: string;
        valid_to: string;
      }[];
    };
  };
  /** A household or business at a virtual instant */
  getCell: {
    parameters: {
      cell: number;
      /** Default now */
      at?: string;
    };
    response: {
      /** Virtual time */
      at: string;
      cell: Cell;
    };
  };
  /** The event log after a cursor */
  listEvents: {
    parameters: {
      /** Default 0: from the oldest */
      after?: number;
      /** Default 100 */
      limit?: number;
      kind?: 'event' | 'input' | 'note';
      /** An event type */
      type?: string;
    };
    response: EventLog;
  };
  /** The log of inputs: a file for emulate --inputs */
  listInputs: {
    response: string;
  };
}
export interface Health {
  status: 'ok' | 'failed';
  run: number;
}
export interface Run {
  /** Number of the run, from 1 */
  run: number;
  state: State;
  /** Virtual time */
  now: string;
  seed: number;
  scenarios: string[];
  events: number;
  /** Multiple of the wall clock's speed, or instant or story */
  speed?: number | ('instant' | 'story');
  /** Events per second, instead of a speed */
  rate?: number;
  /** Faults in force */
  faults: string | {} | null;
  inputs: number;
  first: string | null;
  last: string | null;
  by_type: {
    [k: string]: number;
  };
  by_fault: {
    [k: string]: number;
  };
  by_branch: {
    [k: string]: number;
  };
  by_sink: {
    /** The sink */
    name: string;
    events: number;
  }[];
}
export interface Started {
  started: {
    /** Id of the instance, which its events carry */
    instance: string;
    cell: number;
    /** The named account, else the first of the household */
    account: string;
    /** Virtual time */
    at: string;
  }[];
}
export interface Clock {
  /** Virtual time */
  now: string;
  state: State;
}
export interface Consumers {
  /** null without a broker */
  bootstrap_servers: string | null;
  /** Dead letters that wait for a replay */
  dead_letters: number;
  topics: {
    /** Topic */
    name: string;
    partitions: number;
    /** Records in the topic */
    records: number;
    /** Records that were ever written */
    written: number;
    bytes: number;
  }[];
  groups: {
    /** Group */
    id: string;
    state: 'Empty' | 'PreparingRebalance' | 'CompletingRebalance' | 'Stable' | 'Dead';
    generation: number;
    protocol: string | null;
    /** Lag of all partitions */
    lag: number;
    members: {
      /** Member id from the broker */
      id: string;
      /** Client id */
      client_id: string;
      /** The client's address */
      host: string;
      /** Instance id of a static member */
      instance: string | null;
    }[];
    partitions: {
      /** Topic */
      topic: string;
      partition: number;
      /** The member that has the partition */
      member: string | null;
      /** Offset of the next record to handle */
      committed: number | null;
      /** The lowest readable offset */
      start: number;
      /** Offset after the last record */
      end: number;
      /** null without a committed offset */
      lag: number | null;
    }[];
    /** Wall clock of the last commit; null before the first */
    committed_at: string | null;
    /** Wall clock at which the oldest uncommitted record was written; null without lag */
    waiting_since: string | null;
  }[];
  stream: {
    /** Name of the consumer */
    name: string;
    connected: boolean;
    acknowledged: number;
    /** Number of the last record */
    end: number;
    lag: number;
  }[];
}
export interface DeadLetters {
  /** One page, newest first. Of a record that failed again, only the last dead letter */
  letters: {
    /** TOPIC/PARTITION/OFFSET */
    id: string;
    /** Order of arrival */
    number: number;
    /** failed-again: the record was replayed, and failed again */
    state: 'pending' | 'replayed' | 'failed-again' | 'discarded';
    /** Replays of the record */
    replays: number;
    /** Wall clock */
    dead_lettered_at: string;
    /** Code of the reason */
    code: string;
    /** Description of the reason */
    message: string;
    /** The error of the handler; null if it threw none */
    error: {
      /** Class of the error, or type of another thrown value */
      class: string;
      /** Class of the last error in the chain of causes */
      cause?: string;
      /** Code of the error or of its cause, for example ECONNREFUSED */
      code?: string;
      /** File, line and column of the first frame in the code of the consumer */
      at?: string;
      /** Only if the consumer keeps messages; may quote a payload */
      message?: string;
      /** Only if the consumer keeps stacks; may quote a payload */
      stack?: string;
    } | null;
    /** Catalogue name */
    event: string | null;
    event_id: string | null;
    handler: string | null;
    attempts: number;
    group: string | null;
    origin: {
      /** Topic */
      topic: string;
      partition: number;
      offset: number;
    };
  }[];
  /** Records of the topic and group, in any state */
  total: number;
  pending: number;
  replayed: number;
  failed_again: number;
  discarded: number;
  /** The causes of the topic and group, those of most waiting dead letters first, at most 100 */
  causes: {
    /** Id of the cause */
    id: string;
    /** Consumer group */
    group: string | null;
    /** Catalogue name */
    event: string | null;
    /** Handler */
    handler: string | null;
    /** Code of the reason */
    code: string;
    /** Class of the error */
    error: string | null;
    /** File, line and column in the code of the consumer */
    at: string | null;
    pending: number;
    replayed: number;
    failed_again: number;
    discarded: number;
    /** Wall clock of the last dead letter */
    last_at: string;
  }[];
}
export interface Replayed {
  /** Dead letters that were replayed */
  replayed: number;
  /** Dead letters selected for the replay, which ends after a minute */
  selected: number;
  /** Dead letters skipped because they were replayed before */
  replayed_before: number;
}
export interface Discarded {
  /** Dead letters that were discarded */
  discarded: number;
  /** Dead letters selected, which were neither replayed nor discarded */
  selected: number;
}
export interface FaultRules {
  rules: {
    id: string;
    rule: FaultRule;
    /** Number of times that the broker applied it */
    applied: number;
  }[];
}
export interface FaultRule {
  /** The API, for example OffsetCommit */
  on: string;
  /** The consumer group that the request names */
  group?: string;
  /** The client id of the request */
  client?: string;
  /** A topic that the request names */
  topic?: string;
  /** A partition that the request names */
  partition?: number;
  /** The versions of the request: v8+, v0-7 or v9 */
  versions?: string;
  /** A record whose handling the OffsetCommit reports */
  covers?: {
    topic: string;
    partition: number;
    offset: number;
  };
  /** The number of selected requests to leave alone first. Default 0 */
  skip?: number;
  /** The number of requests to fault. Default: all */
  times?: number;
  /** The share of the requests to fault, for example 5%, instead of skip and times */
  share?: string;
  /** The error of Kafka to return, for example NOT_COORDINATOR */
  error?: string;
  /** Allows an error that Apache Kafka never returns to the API */
  unlikely?: boolean;
  /** The time before the request is carried out, for example 200ms */
  delay?: string;
  /** Closes the connection before the request is carried out, or after it, without the answer */
  cut?: 'before' | 'answer';
  /** The throttle time that the response reports, for example 1s */
  throttle?: string;
  /** The leader epoch that the response and its batches carry */
  epoch?: number;
}
export interface AppliedFault {
  /** 1 for the first fault that the broker applied */
  number: number;
  /** The id of the rule or hold */
  rule: string;
  /** Clock of the broker */
  at: string;
  api: string;
  client_id: string;
  /** The selected partition, for example orders/0; null if the request names none or several */
  partition: string | null;
  /** 1 for the first request of this client and partition that the rule selects */
  nth: number;
  /** The effect, for example error NOT_COORDINATOR */
  did: string;
}
export interface HoldPoint {
  /** The API, for example OffsetCommit */
  on: string;
  /** The consumer group that the request names */
  group?: string;
  /** The client id of the request */
  client?: string;
  /** A topic that the request names */
  topic?: string;
  /** A partition that the request names */
  partition?: number;
  /** The versions of the request: v8+, v0-7 or v9 */
  versions?: string;
  /** A record whose handling the OffsetCommit reports */
  covers?: {
    topic: string;
    partition: number;
    offset: number;
  };
  /** The number of selected requests to leave alone first. Default 0 */
  skip?: number;
  /** Before the request is carried out, or after it, while the client does not know */
  at: 'request' | 'answer';
}
export interface Hold {
  id: string;
  state: 'waiting' | 'reached' | 'released';
  /** The held request; null before one is held */
  reached: AppliedFault | null;
}
export interface Sample {
  /** Catalogue name */
  event: string;
  /** Partition key */
  key: string;
  payload: Record<string, unknown>;
}
export interface Triggered {
  triggered: {
    input: number;
    /** Virtual time */
    at: string;
    cell: number;
    /** Event type */
    event_type: string;
    /** Version */
    version: string;
    /** Partition key */
    key: string;
  }[];
}
export interface Faults {
  faults: string | {} | null;
  since: string | null;
}
export interface ImportSupplier {
  /** Code of the import supplier */
  code: string;
  status: 'Ongoing' | 'Paused' | 'Complete';
  /** The path under which referenced documents are stored */
  root_location: string;
  behaviours: {
    customer_emails: boolean;
  };
}
export interface Account {
  id: number;
  number: string;
  status: 'PENDING' | 'ACTIVE' | 'DORMANT' | 'WITHDRAWN' | 'VOID';
  users: {
    id: number;
    number: string;
    name: {
      given: string;
      family: string;
    };
    email: string;
  }[];
  agreements: {
    id: number;
    market: string;
    /** MPAN or MPRN */
    identifier: string;
    product: string;
    /** First day */
    from: string;
    /** Day after the last day */
    to: string | null;
  }[];
  occupancies: {
    id: number;
    property_id: number;
    /** First day */
    from: string;
    /** Day after the last day */
    to: string | null;
    metadata: {
      [k: string]: string;
    };
  }[];
  payment_method: 'DIRECT_DEBIT' | 'NON_DIRECT_DEBIT' | 'PREPAYMENT';
  /** The ledger of the account, then those of its deposits */
  ledgers: {
    number: string;
    /** Pence; negative for a credit */
    amount_owed: number;
    /** Pence that are past their due day */
    overdue: number;
  }[];
}
export interface Bill {
  /** Id of the billing document and of the statement */
  id: number;
  identifier: string;
  issued_on: string;
  /** First day */
  from: string;
  /** Day after the last day */
  to: string;
  /** Pence: the charges less the credits */
  amount: number;
  /** Pence */
  credited: number;
  charges: {
    market: string;
    /** MPAN or MPRN */
    meter_point: string;
    /** Pence with VAT: the sum of the lines, rounded once */
    amount: number;
    /** Per cent */
    vat: number;
    lines: {
      /** Tariff code */
      tariff: string;
      /** Null for the only register */
      register: string | null;
      /** First day */
      from: string;
      /** Day after the last day */
      to: string;
      kwh: number;
      /** Pence per kWh, without VAT */
      unit_rate: number;
      /** Days with a standing charge */
      days: number;
      /** Pence per day, without VAT */
      standing_charge: number;
    }[];
  }[];
}
export interface Reading {
  /** At midnight when the day begins */
  on: string;
  /** On the day of an exchange, both meters are read */
  serial_number: string;
  /** Null for the only register */
  register: string | null;
  /** It starts again at 0 after its last number */
  value: number;
  digits: number;
  unit: 'kWh' | 'm3' | '100 ft3';
  kwh_per_unit: number;
}
export interface LedgerEntry {
  /** As in the event */
  id: number;
  kind: 'charge' | 'credit' | 'payment' | 'repayment';
  /** Pence */
  amount: number;
  on: string;
  source_type: string;
  /** Id of the entry that this one reverses */
  reverses: number | null;
  is_reversed: boolean;
}
export interface Cell {
  index: number;
  setting:
    | 'household'
    | 'dual-fuel'
    | 'gas-only'
    | 'shared'
    | 'smart'
    | 'driver'
    | 'landlord'
    | 'newcomer'
    | 'billed'
    | 'debtor'
    | 'dormant'
    | 'withdrawn'
    | 'closed'
    | 'fixed-term'
    | 'occupier'
    | 'executors'
    | 'business'
    | 'texas'
    | 'platform';
  accounts: Account[];
  properties: {
    id: number;
    /** Letter of the distribution region */
    region: string;
    supply_points: {
      id: number;
      market: string;
      /** MPAN or MPRN */
      identifier: string;
    }[];
  }[];
}
export interface EventLog {
  /** Oldest first */
  entries: (LoggedEvent | LoggedInput | LoggedNote)[];
  /** Cursor for the next request */
  cursor: number;
  /** Number of entries after the requested cursor that are gone */
  missed: number;
}
export interface LoggedEvent {
  cursor: number;
  kind: 'event';
  /** Virtual time */
  sent_at: string;
  /** Partition key */
  key: string;
  cell: number;
  /** The instance of a scenario */
  instance: string;
  /** The step of the scenario */
  step: string;
  /** The injected faults */
  faults: string[];
  /** The sent envelope */
  event: Record<string, unknown>;
}
export interface LoggedInput {
  cursor: number;
  kind: 'input';
  input: {
    /** Virtual time */
    at: string;
    kind: 'start' | 'event' | 'faults' | 'import-supplier';
    [k: string]: unknown;
  };
}
export interface LoggedNote {
  cursor: number;
  kind: 'note';
  /** The part of the emulator that wrote the note */
  about: string;
  text: string;
}
export interface Error {
  /** Code of the error */
  error: string;
  /** The problem and its fix */
  message: string;
}

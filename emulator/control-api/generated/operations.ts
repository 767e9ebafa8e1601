// Written by `npm run generate` from emulator/control-api/control-api.openapi.yaml; do not edit.

export type State = 'waiting' | 'running' | 'paused' | 'idle' | 'ended' | 'stopped' | 'failed';

export interface Operations {
  getDocument: {
    response: Record<string, unknown>;
  };
  getHealth: {
    response: Health;
  };
  getRun: {
    response: Run;
  };
  startScenario: {
    body: {
      scenario: string;
      instances?: number;
      account?: string;
      branches?: {
        [k: string]: string;
      };
      data?: unknown;
      at?: string;
    };
    response: Started;
  };
  pauseRun: {
    body: {};
    response: Run;
  };
  resumeRun: {
    body: {};
    response: Run;
  };
  stepRun: {
    body: {
      count?: number;
    };
    response: Run;
  };
  setSpeed: {
    body: {
      speed?: number | ('instant' | 'story');
      rate?: number;
    };
    response: Run;
  };
  stopRun: {
    body: {};
    response: Run;
  };
  resetRun: {
    body: {
      seed?: number;
      scenarios?: string[];
      instances?: number;
      accounts?: number;
      branches?: {
        [k: string]: string;
      };
      faults?: string;
      run_id?: string;
      paused?: boolean;
      speed?: number | ('instant' | 'story');
      rate?: number;
    };
    response: Run;
  };
  getClock: {
    response: Clock;
  };
  advanceClock: {
    body: {
      to?: string;
      by?: string;
    };
    response: Clock;
  };
  listConsumers: {
    response: Consumers;
  };
  listDeadLetters: {
    parameters: {
      topic?: string;
      group?: string;
      state?: 'pending' | 'replayed' | 'failed-again' | 'discarded';
      cause?: string;
      before?: number;
      limit?: number;
    };
    response: DeadLetters;
  };
  replayDeadLetters: {
    body: {
      topic?: string;
      group?: string;
      event?: string;
      id?: string;
      cause?: string;
    };
    response: Replayed;
  };
  discardDeadLetters: {
    body: {
      topic?: string;
      group?: string;
      event?: string;
      id?: string;
      cause?: string;
    };
    response: Discarded;
  };
  listFaultRules: {
    response: FaultRules;
  };
  addFaultRule: {
    body: FaultRule;
    response: {
      id: string;
    };
  };
  clearFaults: {
    response: FaultRules;
  };
  listAppliedFaults: {
    parameters: {
      after?: number;
    };
    response: {
      applied: AppliedFault[];
    };
  };
  removeFaultRule: {
    parameters: {
      id: string;
    };
    response: FaultRules;
  };
  addHold: {
    body: HoldPoint;
    response: Hold;
  };
  getHold: {
    parameters: {
      id: string;
      wait?: string;
    };
    response: Hold;
  };
  releaseHold: {
    parameters: {
      id: string;
    };
    body: {
      answer?: 'send' | 'drop';
    };
    response: Hold;
  };
  rebalanceGroup: {
    parameters: {
      group: string;
    };
    body: {};
    response: {
      members: number;
    };
  };
  evictMembers: {
    parameters: {
      group: string;
    };
    body: {
      client?: string;
    };
    response: {
      members: number;
    };
  };
  getConsumed: {
    parameters: {
      group: string;
      topic?: string;
      wait?: string;
    };
    response: {
      consumed: boolean;
      why: string | null;
    };
  };
  closeConnections: {
    body: {
      client?: string;
    };
    response: {
      connections: number;
    };
  };
  truncateTopic: {
    parameters: {
      topic: string;
    };
    body: {
      partition?: number;
      before?: number;
    };
    response: {
      topic: string;
    };
  };
  getSample: {
    parameters: {
      event: string;
      nth?: number;
      fields?: 'usual' | 'minimal' | 'full';
    };
    response: Sample;
  };
  trigger: {
    body: {
      event: string;
      set?: string[];
      unset?: string[];
      invalid?: string[];
      validate?: boolean;
      payload?: unknown;
      key?: string;
      count?: number;
      at?: string;
    };
    response: Triggered;
  };
  getFaults: {
    response: Faults;
  };
  setFaults: {
    body: {
      faults: string | {};
    };
    response: Faults;
  };
  endFaults: {
    response: Faults;
  };
  listImportSuppliers: {
    response: {
      import_suppliers: ImportSupplier[];
    };
  };
  createImportSupplier: {
    body: {
      code: string;
      status?: 'Ongoing' | 'Paused' | 'Complete';
      root_location?: string;
      behaviours?: {
        customer_emails?: boolean;
      };
    };
    response: ImportSupplier;
  };
  getImportSupplier: {
    parameters: {
      code: string;
    };
    response: ImportSupplier;
  };
  changeImportSupplier: {
    parameters: {
      code: string;
    };
    body: {
      status?: 'Ongoing' | 'Paused' | 'Complete';
      root_location?: string;
      behaviours?: {
        customer_emails?: boolean;
      };
    };
    response: ImportSupplier;
  };
  getAccount: {
    parameters: {
      number: string;
      at?: string;
    };
    response: {
      at: string;
      cell: number;
      account: Account;
    };
  };
  listBills: {
    parameters: {
      number: string;
      at?: string;
    };
    response: {
      at: string;
      bills: Bill[];
    };
  };
  listReadings: {
    parameters: {
      number: string;
      meter_point: string;
      at?: string;
    };
    response: {
      at: string;
      readings: Reading[];
    };
  };
  listLedgerEntries: {
    parameters: {
      number: string;
      ledger: string;
      at?: string;
    };
    response: {
      at: string;
      entries: LedgerEntry[];
    };
  };
  getProcess: {
    parameters: {
      number: string;
      at?: string;
    };
    response: {
      at: string;
      cell: number;
      number: string;
      last: string | null;
      events: {
        at: string;
        event_type: string;
        versions: string[];
        instance: string;
      }[];
    };
  };
  getTariff: {
    parameters: {
      tariff: string;
      at?: string;
      from?: string;
      to?: string;
    };
    response: {
      at: string;
      tariff: string;
      rates: {
        kind: 'unit' | 'day' | 'night' | 'standing';
        payment_method: string | null;
        value_exc_vat: number;
        value_inc_vat: number;
        valid_from: string;
        valid_to: string;
      }[];
    };
  };
  getCell: {
    parameters: {
      cell: number;
      at?: string;
    };
    response: {
      at: string;
      cell: Cell;
    };
  };
  listEvents: {
    parameters: {
      after?: number;
      limit?: number;
      type?: string;
    };
    response: EventLog;
  };
  listInputs: {
    response: string;
  };
}
export interface Health {
  status: 'ok' | 'failed';
  run: number;
}
export interface Run {
  run: number;
  state: State;
  now: string;
  seed: number;
  scenarios: string[];
  events: number;
  speed?: number | ('instant' | 'story');
  rate?: number;
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
    name: string;
    events: number;
  }[];
}
export interface Started {
  started: {
    instance: string;
    cell: number;
    account: string;
    at: string;
  }[];
}
export interface Clock {
  now: string;
  state: State;
}
export interface Consumers {
  bootstrap_servers: string | null;
  dead_letters: number;
  topics: {
    name: string;
    partitions: number;
    records: number;
    written: number;
    bytes: number;
  }[];
  groups: {
    id: string;
    state: 'Empty' | 'PreparingRebalance' | 'CompletingRebalance' | 'Stable' | 'Dead';
    generation: number;
    protocol: string | null;
    lag: number;
    members: {
      id: string;
      client_id: string;
      host: string;
      instance: string | null;
    }[];
    partitions: {
      topic: string;
      partition: number;
      member: string | null;
      committed: number | null;
      start: number;
      end: number;
      lag: number | null;
    }[];
    committed_at: string | null;
    waiting_since: string | null;
  }[];
  stream: {
    name: string;
    connected: boolean;
    acknowledged: number;
    end: number;
    lag: number;
  }[];
}
export interface DeadLetters {
  letters: {
    id: string;
    number: number;
    state: 'pending' | 'replayed' | 'failed-again' | 'discarded';
    replays: number;
    dead_lettered_at: string;
    code: string;
    message: string;
    error: {
      class: string;
      cause?: string;
      code?: string;
      at?: string;
      message?: string;
      stack?: string;
    } | null;
    event: string | null;
    event_id: string | null;
    handler: string | null;
    attempts: number;
    group: string | null;
    origin: {
      topic: string;
      partition: number;
      offset: number;
    };
  }[];
  total: number;
  pending: number;
  replayed: number;
  failed_again: number;
  discarded: number;
  causes: {
    id: string;
    group: string | null;
    event: string | null;
    handler: string | null;
    code: string;
    error: string | null;
    at: string | null;
    pending: number;
    replayed: number;
    failed_again: number;
    discarded: number;
    last_at: string;
  }[];
}
export interface Replayed {
  replayed: number;
  selected: number;
  replayed_before: number;
}
export interface Discarded {
  discarded: number;
  selected: number;
}
export interface FaultRules {
  rules: {
    id: string;
    rule: FaultRule;
    applied: number;
  }[];
}
export interface FaultRule {
  on: string;
  group?: string;
  client?: string;
  topic?: string;
  partition?: number;
  versions?: string;
  covers?: {
    topic: string;
    partition: number;
    offset: number;
  };
  skip?: number;
  times?: number;
  share?: string;
  error?: string;
  unlikely?: boolean;
  delay?: string;
  cut?: 'before' | 'answer';
  throttle?: string;
  epoch?: number;
}
export interface AppliedFault {
  number: number;
  rule: string;
  at: string;
  api: string;
  client_id: string;
  partition: string | null;
  nth: number;
  did: string;
}
export interface HoldPoint {
  on: string;
  group?: string;
  client?: string;
  topic?: string;
  partition?: number;
  versions?: string;
  covers?: {
    topic: string;
    partition: number;
    offset: number;
  };
  skip?: number;
  at: 'request' | 'answer';
}
export interface Hold {
  id: string;
  state: 'waiting' | 'reached' | 'released';
  reached: AppliedFault | null;
}
export interface Sample {
  event: string;
  key: string;
  payload: unknown;
}
export interface Triggered {
  triggered: {
    input: number;
    at: string;
    cell: number;
    event_type: string;
    version: string;
    key: string;
  }[];
}
export interface Faults {
  faults: string | {} | null;
  since: string | null;
}
export interface ImportSupplier {
  code: string;
  status: 'Ongoing' | 'Paused' | 'Complete';
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
    identifier: string;
    product: string;
    from: string;
    to: string | null;
  }[];
  occupancies: {
    id: number;
    property_id: number;
    from: string;
    to: string | null;
    metadata: {
      [k: string]: string;
    };
  }[];
  payment_method: 'DIRECT_DEBIT' | 'NON_DIRECT_DEBIT' | 'PREPAYMENT';
  ledgers: {
    number: string;
    amount_owed: number;
    overdue: number;
  }[];
}
export interface Bill {
  id: number;
  identifier: string;
  issued_on: string;
  from: string;
  to: string;
  amount: number;
  credited: number;
  charges: {
    market: string;
    meter_point: string;
    amount: number;
    vat: number;
    lines: {
      tariff: string;
      register: string | null;
      from: string;
      to: string;
      kwh: number;
      unit_rate: number;
      days: number;
      standing_charge: number;
    }[];
  }[];
}
export interface Reading {
  on: string;
  serial_number: string;
  register: string | null;
  value: number;
  digits: number;
  unit: 'kWh' | 'm3' | '100 ft3';
  kwh_per_unit: number;
}
export interface LedgerEntry {
  id: number;
  kind: 'charge' | 'credit' | 'payment' | 'repayment';
  amount: number;
  on: string;
  source_type: string;
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
    | 'fixed-term'
    | 'occupier'
    | 'executors'
    | 'business'
    | 'texas'
    | 'platform';
  accounts: Account[];
  properties: {
    id: number;
    region: string;
    supply_points: {
      id: number;
      market: string;
      identifier: string;
    }[];
  }[];
}
export interface EventLog {
  entries: {
    cursor: number;
    sent_at: string;
    key: string;
    cell: number;
    instance: string;
    step: string;
    faults: string[];
    event: {} | null;
  }[];
  cursor: number;
  missed: number;
}
export interface Error {
  error: string;
  message: string;
}

/** Series of one metric over time, and whether the alert then fires. */
export interface Case {
  readonly alert: string;
  readonly when: string;
  /** Series, and their values each minute in promtool's notation: `0x9 3x9` is ten times 0, then ten times 3. */
  readonly series: Readonly<Record<string, string>>;
  /** Minutes after the first value. */
  readonly at: number;
  /** Labels of the alerts that fire then. */
  readonly fires: readonly Readonly<Record<string, string>>[];
}

const dead = (instance: string) =>
  `busbar_dead_lettered_total{instance="${instance}",event="bill.issued-v1",handler="bill.issued-v1",code="handler-failed"}`;
const bill = { event: 'bill.issued-v1' };
const partition = { topic: 'platform.events', partition: '3' };
const age = 'busbar_oldest_unsettled_seconds{topic="platform.events",partition="3"}';
const lag = (of: string) => `busbar_lag_records{topic="platform.events",partition="${of}"}`;

/** For each alert of docs/guides/monitoring.md at least one case in which it fires, and one in which it does not. */
export const cases: readonly Case[] = [
  {
    alert: 'ConsumerStuck',
    when: 'a consumer makes no progress for two minutes',
    series: { busbar_healthy: '1x5 0x5' },
    at: 9,
    fires: [{}],
  },
  {
    alert: 'ConsumerStuck',
    when: 'a consumer makes progress again after a minute',
    series: { busbar_healthy: '1x5 0 1x5' },
    at: 8,
    fires: [],
  },
  { alert: 'ConsumerLate', when: 'a record waits', series: { [age]: '0+60x20' }, at: 12, fires: [partition] },
  { alert: 'ConsumerLate', when: 'records are new', series: { [age]: '200x20' }, at: 12, fires: [] },
  {
    alert: 'ConsumerBehind',
    when: 'partitions are behind together',
    series: { [lag('0')]: '6000x20', [lag('1')]: '6000x20' },
    at: 16,
    fires: [{ topic: 'platform.events' }],
  },
  {
    alert: 'ConsumerBehind',
    when: 'a burst is handled',
    series: { [lag('0')]: '20000-2000x10 0x10' },
    at: 16,
    fires: [],
  },
  {
    alert: 'DeadLetters',
    when: 'the first comes',
    series: { [dead('a')]: '_x20 1x20' },
    at: 22,
    fires: [bill],
  },
  {
    alert: 'DeadLetters',
    when: 'one more comes',
    series: { [dead('a')]: '4x20 5x20' },
    at: 22,
    fires: [bill],
  },
  {
    alert: 'DeadLetters',
    when: 'one comes after a restart',
    series: { [dead('a')]: '9x20 _x2 1x20' },
    at: 25,
    fires: [bill],
  },
  {
    alert: 'DeadLetters',
    when: 'one comes in a process that replaces another',
    series: { [dead('a')]: '9x20', [dead('b')]: '_x22 1x20' },
    at: 25,
    fires: [bill],
  },
  { alert: 'DeadLetters', when: 'the last is old', series: { [dead('a')]: '_x5 1x30' }, at: 30, fires: [] },
  {
    alert: 'DeadLettersFailing',
    when: 'they cannot be written',
    series: { busbar_dead_letters_failing: '0 1x10' },
    at: 8,
    fires: [{}],
  },
  {
    alert: 'DeadLettersFailing',
    when: 'they are written',
    series: { busbar_dead_letters_failing: '0x10' },
    at: 8,
    fires: [],
  },
  {
    alert: 'CatalogueDrift',
    when: 'an event has new fields',
    series: {
      'busbar_unknown_fields_total{event="bill.issued-v1"}': '_ 1x5',
      busbar_unknown_events_total: '0x6',
    },
    at: 5,
    fires: [bill],
  },
  {
    alert: 'CatalogueDrift',
    when: 'an event is new',
    series: { busbar_unknown_events_total: '0 1x5' },
    at: 5,
    fires: [{}],
  },
  {
    alert: 'CatalogueDrift',
    when: 'all events are known',
    series: { busbar_unknown_events_total: '0x6' },
    at: 5,
    fires: [],
  },
];

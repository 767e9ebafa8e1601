import type { EmulatorOptions } from '../../../emulator/index.js';

/** A view of the page in a state worth looking at. */
export interface ShownView {
  readonly name: string;
  readonly options: EmulatorOptions;
  readonly address: string;
  /** What is there when it is ready. */
  readonly shown: string;
}

const lively: EmulatorOptions = {
  scenario: ['house-move', 'billing-cycle', 'switch-loss'],
  instances: 4,
  seed: 3,
  faults: 'duplicate=6%,delay=6%:10m,drop=4%,invalid=4%',
};

/** Each view: for the tests of what is on the screen, and for the pictures in the documentation. */
export const views: readonly ShownView[] = [
  { name: 'live', options: lively, address: '/', shown: '.row' },
  { name: 'filtered', options: lively, address: '/?domains=lifecycle&text=GBR_GAS', shown: '.row' },
  { name: 'empty', options: lively, address: '/?text=nothing+has+this', shown: '.empty' },
  { name: 'event', options: lively, address: '/?event=9', shown: '.validity.good, .validity.bad' },
  { name: 'journeys', options: lively, address: '/?view=journeys', shown: 'td' },
  { name: 'journey', options: lively, address: '/?view=journeys&customer=1', shown: '.moment.expected' },
  { name: 'run', options: lively, address: '/?view=run', shown: '#branch-occupier' },
];

import { chicago } from '../../engine/calendar.js';
import { after } from '../../engine/scenario.js';
import { createAgreement } from '../../world/supply/agreements.js';
import {
  changeEnergisation,
  changeMarketStatus,
  deactivateMeter,
  energisationOf,
  exportPointAt,
  marketStatusOf,
  validateInstallation,
} from '../../world/industry/electricity.js';
import { registerElectricity } from '../../world/supply/registration.js';
import { presentSupplies } from '../../world/supplies.js';
import { defineScenario, emit } from '../define.js';

export const energisationAndService = defineScenario({
  name: 'energisation-and-service',
  title: 'A supply point is switched off or on, and perhaps loses its meter',
  description:
    'The network tells us, without having been asked, that it switched an electricity supply point off, and mostly on ' +
    'again within weeks: until then no energy is charged. Often the visit goes with another: some days later the meter ' +
    'that hung there is reported as taken down.',
  rate: 4,
  starts: 'working-day',
  branches: { meter: { kept: 0.6, deactivated: 0.4 }, power: { restored: 0.8, off: 0.2 } },
  *run({ cell, branch, random }) {
    const [supply] = presentSupplies(cell, 'GBR_ELECTRICITY');
    if (supply === undefined) return;
    const { account, supplyPoint } = supply;
    const status = energisationOf(cell, supplyPoint) === 'E' ? 'D' : 'E';
    // Bills end the day before yesterday.
    const on = Math.max(supply.from, cell.today - random.integer(0, 1));
    yield* emit(changeEnergisation(cell, account, supplyPoint, { status, on }));
    if (branch.meter === 'deactivated') {
      yield* after({ workingDays: 1, minutes: 5 }, { workingDays: 10, hours: 6 }, 'working-day');
      yield* emit(deactivateMeter(cell, account, supplyPoint));
    }
    if (status === 'E' || branch.power === 'off') return;
    yield* after({ workingDays: 1, minutes: 5 }, { workingDays: 15, hours: 6 }, 'working-day');
    const isSupplied = presentSupplies(cell).some((present) => present.supplyPoint === supplyPoint);
    if (!isSupplied || energisationOf(cell, supplyPoint) === 'E') return;
    const again = { status: 'E', on: cell.today } as const;
    yield* emit(changeEnergisation(cell, account, supplyPoint, again));
  },
});

export const exportInstallation = defineScenario({
  name: 'export-installation',
  title: 'A home is going to be paid for what it feeds back',
  description:
    "An agent finds the papers of a household's panels in order. The second MPAN of the home, for exported energy, " +
    'is registered to us, and then an agreement on an export product follows.',
  rate: 3,
  starts: 'office',
  branches: {},
  *run({ cell, calendar, random }) {
    const [supply] = presentSupplies(cell, 'GBR_ELECTRICITY');
    if (supply === undefined || exportPointAt(cell, supply.property) !== undefined) return;
    const { account, property, supplyPoint: importPoint } = supply;
    const livesThere = () => presentSupplies(cell).some((present) => present.supplyPoint === importPoint);
    const installation = validateInstallation(cell, account, property, importPoint, random);
    const { supplyPoint, product, validated } = installation;
    yield* emit(validated);
    yield* after({ workingDays: 5, minutes: 5 }, { workingDays: 25, hours: 6 }, 'industry');
    if (!livesThere()) return;
    const from = calendar.addWorkingDays(cell.today, random.integer(1, 5));
    yield* emit(registerElectricity(account, supplyPoint, { from, how: 'export' }));
    yield* after({ days: 8 }, { days: 20 }, 'office');
    if (!livesThere()) return;
    yield* emit(createAgreement(cell, account, { supplyPoint, product, from }).created);
  },
});

export const texasMarketStatus = defineScenario({
  name: 'texas-market-status',
  title: 'The Texan market confirms that a household is supplied',
  description:
    'In Texas the market keeps the status of each account at its meter point. A household that signs up is pending ' +
    'for some hours or days, then active from midnight on; some move away later and become inactive. Everything ' +
    'happens in the office hours of Central Time.',
  setting: 'texas',
  calendar: chicago,
  starts: 'working-day',
  rate: 10,
  branches: { later: { stays: 0.7, leaves: 0.3 } },
  *run(context) {
    const { cell, calendar } = context;
    const { account } = cell;
    const before = marketStatusOf(cell);
    if (before !== undefined && before !== 'INACTIVE') return;
    const changeTo = (status: 'PENDING' | 'ACTIVE' | 'INACTIVE') => {
      const effective = status === 'PENDING' ? context.now : calendar.instantOf(calendar.dayAt(context.now));
      return emit(changeMarketStatus(cell, account, { status, effective }));
    };
    yield* changeTo('PENDING');
    yield* after({ hours: 2 }, { days: 2 }, 'working-day');
    yield* changeTo('ACTIVE');
    if (context.branch.later === 'stays') return;
    yield* after({ days: 30 }, { days: 700 }, 'working-day');
    yield* changeTo('INACTIVE');
  },
});

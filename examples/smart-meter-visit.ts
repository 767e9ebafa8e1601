/**
 * A custom scenario: an engineer visits to fit a smart meter, and sometimes finds no one at home.
 *
 *     emulate --scenario ./examples/smart-meter-visit.ts --branch door=closed --instant --to stdout
 */
import { after, defineScenario, emit } from 'busbar-emulator';

export const smartMeterVisit = defineScenario({
  name: 'smart-meter-visit',
  title: 'An engineer comes to fit a smart meter',
  description:
    'A visit is arranged and noted on the account. On the day the old meter is taken off, unless nobody is at home: ' +
    'then the note says so, and a second visit follows a week later.',
  branches: { door: { open: 0.9, closed: 0.1 } },

  *run(context) {
    const { branch, random } = context;
    const { account } = context.cell;
    const [point] = account.agreements.map(({ supplyPoint }) => supplyPoint);
    if (point === undefined) return;
    const key = account.number;

    const note = { account_number: key, key: 'smart_install_visit', value: 'arranged' };
    yield* emit('account_metadata.created', 'v1', note, { key });

    yield* after({ workingDays: 5 }, { workingDays: 10 }, 'working-day');
    if (branch.door === 'closed') {
      const changes = { smart_install_visit: { old: 'arranged', new: 'nobody at home' } };
      yield* emit('account_metadata.updated', 'v1', { account_number: key, changes }, { key });
      yield* after({ days: 7 }, { days: 7 }, 'working-day');
    }

    yield* after({ minutes: 30 }, { hours: 3 });
    yield* emit(
      'industry.electricity.change_of_service.meter_deactivated',
      'v1',
      {
        mpan: point.identifier,
        serial_number: `${random.integer(10, 16)}L${random.integer(1_000_000, 9_999_999)}`,
        effective_from: new Date(context.now).toISOString().slice(0, 10),
      },
      { key },
    );
  },
});

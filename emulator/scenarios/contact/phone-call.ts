import { after } from '../../engine/scenario.js';
import { endCall, linkTranscripts, transcribeCall } from '../../world/changes/phone-calls.js';
import { customerOf } from '../../world/customer.js';
import { defineScenario, emit } from '../define.js';

export const phoneCall = defineScenario({
  name: 'phone-call',
  title: 'A customer calls',
  description:
    'A customer talks to an agent on the telephone. Once both have hung up, the recording is mostly turned into a ' +
    'transcript, which the call then refers to.',
  rate: 450,
  starts: 'office',
  branches: { transcript: { linked: 0.81, unlinked: 0.09, none: 0.1 } },
  *run(stage) {
    const { cell, calendar } = stage;
    const customer = customerOf(cell);
    if (customer === undefined) return;
    const { call, ended } = endCall(cell, customer.account, calendar.dayAt(stage.now));
    yield* emit(ended);
    if (stage.branch.transcript === 'none') return;
    yield* after({ minutes: 2 }, { minutes: 20 });
    yield* emit(transcribeCall(cell, call, calendar.dayAt(stage.now)));
    if (stage.branch.transcript === 'unlinked') return;
    yield* after({ seconds: 1 }, { minutes: 1 });
    yield* emit(linkTranscripts(call));
  },
});

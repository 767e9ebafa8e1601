import { after } from '../../engine/scenario.js';
import { closeChat, initiateChat, newMessage, replyToChat } from '../../world/contact/messages.js';
import { endCall, linkTranscripts, transcribeCall } from '../../world/contact/phone-calls.js';
import { customerOf } from '../../world/customer/customer.js';
import { liveChatChannels, liveChatCloseReasons } from '../../world/contact/words.js';
import { defineScenario, emit } from '../define.js';

export const liveChat = defineScenario({
  name: 'live-chat',
  title: 'A customer chats with an agent',
  description:
    'A customer opens a chat on the web during the day. An agent answers a few times within minutes; then one of them ' +
    'ends the chat, or it ends by itself when the customer has gone.',
  rate: 104,
  starts: 'daytime',
  branches: {},
  *run({ cell, random }) {
    const customer = customerOf(cell);
    if (customer === undefined) return;
    const channel = random.weighted(liveChatChannels);
    const write = () => newMessage(cell, channel);
    const { chat, initiated } = initiateChat(cell, customer.account, write());
    yield* emit(initiated);
    for (let replies = random.integer(2, 10); replies > 0; replies--) {
      yield* after({ seconds: 10 }, { minutes: 4 });
      yield* emit(replyToChat(chat, write()));
    }
    const reason = random.weighted(liveChatCloseReasons);
    yield* reason === 'INACTIVE'
      ? after({ minutes: 15 }, { minutes: 30 })
      : after({ minutes: 1 }, { minutes: 10 });
    yield* emit(closeChat(chat, reason));
  },
});

export const phoneCall = defineScenario({
  name: 'phone-call',
  title: 'A customer calls',
  description:
    'A customer talks to an agent on the telephone. Once both have hung up, the recording is mostly turned into a ' +
    'transcript, which the call then refers to.',
  rate: 450,
  starts: 'office',
  branches: { transcript: { linked: 0.81, unlinked: 0.09, none: 0.1 } },
  *run({ cell, branch }) {
    const customer = customerOf(cell);
    if (customer === undefined) return;
    const { call, ended } = endCall(cell, customer.account);
    yield* emit(ended);
    if (branch.transcript === 'none') return;
    yield* after({ minutes: 2 }, { minutes: 20 });
    yield* emit(transcribeCall(cell, call));
    if (branch.transcript === 'unlinked') return;
    yield* after({ seconds: 1 }, { minutes: 1 });
    yield* emit(linkTranscripts(call));
  },
});

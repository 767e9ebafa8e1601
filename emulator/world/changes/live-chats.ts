import type { Occurrence } from '../../engine/scenario.js';
import type { Account, Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';
import { relayId } from '../relay-ids.js';
import { describeMessage, type Message } from './messages.js';

/** A live chat. Key of its events: account number. */
interface LiveChat {
  readonly relayId: string;
  readonly account: Account;
}

/** Starts a chat with the customer's first message. */
export function initiateChat(
  cell: Cell,
  account: Account,
  message: Message,
): { chat: LiveChat; initiated: Occurrence } {
  const chat: LiveChat = { relayId: relayId('InkConversation', cell.ids.integer('conversation')), account };
  const initiated = occurrence('ink.live-chat.initiated', account.number, {
    v1: { live_chat_conversation: describe(chat, message) },
  });
  return { chat, initiated };
}

/** Publishes the agent's reply. */
export function replyToChat(chat: LiveChat, message: Message): Occurrence {
  return occurrence('ink.live-chat.messages.outbound-message-created', chat.account.number, {
    v1: { live_chat_conversation: describe(chat, message) },
  });
}

export function closeChat(chat: LiveChat, reason: string): Occurrence {
  return occurrence('ink.live-chat.closed', chat.account.number, {
    v1: {
      live_chat_conversation_relay_id: chat.relayId,
      close_reason: reason,
      account_number: chat.account.number,
    },
  });
}

function describe({ relayId, account }: LiveChat, message: Message) {
  return {
    conversation_relay_id: relayId,
    account_number: account.number,
    message: describeMessage(message),
  };
}

import { describe, expect, it } from 'vitest';
import { london } from '../../../emulator/engine/calendar.js';
import { hour, minute } from '../../../emulator/engine/time.js';
import { byCell, type Happened, of, only } from './payloads.js';
import { play } from './play.js';

const write = (branches: Record<string, string> = {}) =>
  play('contact-email', { seed: 8, instances: 40, branches });

const field = ({ envelope }: Happened, name: string) => (envelope.payload as Record<string, unknown>)[name];
const indexOf = (events: readonly Happened[], type: string) =>
  events.findIndex(({ envelope }) => envelope.event_type === type);

describe('contact-email', () => {
  it('keeps one id, and a relay id that matches it', async () => {
    for (const events of byCell(await write())) {
      const { conversation_id, conversation_relay_id } = only(
        events,
        'ink.conversation.opened',
        'v1',
      ).payload;
      expect(Buffer.from(conversation_relay_id, 'base64').toString()).toBe(
        `InkConversation:${conversation_id}`,
      );
      for (const event of events) {
        expect([undefined, conversation_id]).toContain(field(event, 'conversation_id'));
        expect([undefined, conversation_relay_id]).toContain(field(event, 'conversation_relay_id'));
      }
    }
  });

  it('opens a conversation first and closes it last', async () => {
    for (const events of byCell(await write())) {
      const about = events.filter((event) => field(event, 'conversation_relay_id') !== undefined);
      expect(about[0]?.envelope.event_type).toBe('ink.conversation.opened');
      expect(events.at(-1)?.envelope.event_type).toBe('ink.conversation.closed');
      expect(of(events, 'ink.conversation.closed', 'v1')).toHaveLength(1);
    }
  });

  it('names who closes a conversation: the agent, the customer, or the system', async () => {
    const emissions = await play('contact-email', { seed: 8, instances: 300 });
    const closers = new Set(
      of(emissions, 'ink.conversation.closed', 'v1').map(
        ({ payload: { reason, actor_type } }) => `${reason} ${actor_type}`,
      ),
    );
    expect([...closers].sort()).toEqual([
      'AGENT_CLOSED SUPPORT_USER',
      'CUSTOMER_CLOSED ACCOUNT_USER',
      'INACTIVE SYSTEM',
      'STALE SYSTEM',
    ]);
  });

  it('replies in all hours of the office, and not when it opens', async () => {
    const branches = { kind: 'normal', delivery: 'arrived', reply: 'no' };
    const emissions = await play('contact-email', { seed: 8, instances: 400, branches });
    const hours = of(emissions, 'ink.messages.outbound-message-created', 'v1').map(({ at }) => {
      return Math.floor((at - london.instantOf(london.dayAt(at))) / hour);
    });
    expect(hours.filter((each) => each === 8).length / hours.length).toBeLessThan(0.15);
    expect(new Set(hours).size).toBe(10);
  });

  it('unassigns the assigned bucket and timeline', async () => {
    for (const timeline of ['yes', 'no']) {
      for (const events of byCell(await write({ timeline }))) {
        const into = only(events, 'ink.conversation.assigned_to_bucket', 'v1').payload;
        const out = only(events, 'ink.conversation.unassigned_from_bucket', 'v1').payload;
        expect(out.bucket_relay_id).toBe(into.bucket_relay_id);
        expect(indexOf(events, 'ink.conversation.unassigned_from_bucket')).toBeGreaterThan(
          indexOf(events, 'ink.conversation.assigned_to_bucket'),
        );
        const assigned = of(events, 'ink.conversation.assigned_to_timeline', 'v1');
        const unassigned = of(events, 'ink.conversation.unassigned_from_timeline', 'v1');
        expect(assigned).toHaveLength(timeline === 'yes' ? 1 : 0);
        expect(unassigned.map(({ payload }) => payload.timeline_relay_id)).toEqual(
          assigned.map(({ payload }) => payload.timeline_relay_id),
        );
      }
    }
  });

  it('reminds at the end of a snooze', async () => {
    for (const events of byCell(await write({ snoozed: 'yes', kind: 'normal', reply: 'no' }))) {
      const { payload } = only(events, 'ink.conversation.snoozed', 'v1');
      const awake = only(events, 'ink.conversation.open_status_changed', 'v1');
      expect(awake.payload).toMatchObject({ previous_status: 'SNOOZED', new_status: 'OPEN_REMINDED' });
      const late = awake.at - Date.parse(payload.snoozed_to);
      expect([late > 0, late <= 30_000]).toEqual([true, true]);
      expect(awake.at).toBeGreaterThan(events[indexOf(events, 'ink.conversation.snoozed')]?.at ?? 0);
    }
  });

  it('awaits the customer before their reply', async () => {
    for (const events of byCell(await write({ reply: 'yes', kind: 'normal', snoozed: 'no' }))) {
      expect(of(events, 'ink.messages.inbound-message-created', 'v1')).toHaveLength(2);
      const waiting = indexOf(events, 'ink.conversation.await_customer_reply');
      const replied = indexOf(events, 'ink.conversation.open_status_changed');
      expect(waiting).toBeGreaterThan(indexOf(events, 'ink.messages.outbound-message-created'));
      expect(replied).toBeGreaterThan(waiting);
      expect(only(events, 'ink.conversation.open_status_changed', 'v1').payload.previous_status).toBe('OPEN');
    }
  });

  it('replies to reported messages only after a dismissal', async () => {
    for (const as of ['spam', 'phishing'] as const) {
      const reported = await write({ kind: as });
      expect(of(reported, `ink.messages.reported-${as}`, 'v1')).toHaveLength(40);
      expect(of(reported, 'ink.messages.outbound-message-created', 'v1')).toEqual([]);
      for (const events of byCell(
        await write({ kind: `${as}-dismissed`, reply: 'no', delivery: 'arrived' }),
      )) {
        const report = only(events, `ink.messages.reported-${as}`, 'v1').payload;
        expect(only(events, `ink.messages.${as}-report-dismissed`, 'v1').payload).toEqual(report);
        expect(indexOf(events, `ink.messages.${as}-report-dismissed`)).toBeLessThan(
          indexOf(events, 'ink.messages.outbound-message-created'),
        );
      }
    }
  });

  it('acts for agents in office hours only', async () => {
    for (const event of await play('contact-email', { seed: 8, instances: 200 })) {
      if (field(event, 'actor_type') !== 'SUPPORT_USER') continue;
      // The last steps of a conversation take some minutes.
      const opened = london.next(event.at - 11 * minute, 'office');
      expect(opened, event.envelope.event_type).toBeLessThanOrEqual(event.at);
    }
  });

  it('repeats a message that failed', async () => {
    for (const events of byCell(await write({ kind: 'normal', delivery: 'failed', reply: 'no' }))) {
      const [first, second, ...more] = of(events, 'ink.messages.outbound-message-created', 'v1');
      const { message } = only(events, 'ink.messages.outbound-message-failed', 'v1').payload;
      expect(message).toMatchObject({ ...first?.payload.message });
      expect(second?.payload.message.relay_id).not.toBe(message.relay_id);
      expect(more).toEqual([]);
    }
  });

  it('replies in office hours only', async () => {
    for (const { at } of of(await write(), 'ink.messages.outbound-message-created', 'v1')) {
      expect(london.next(at, 'office')).toBe(at);
    }
  });
});

describe('live-chat', () => {
  it('keeps one conversation, with a new message each time', async () => {
    for (const events of byCell(await play('live-chat', { seed: 3, instances: 20 }))) {
      const { live_chat_conversation: first } = only(events, 'ink.live-chat.initiated', 'v1').payload;
      const answers = of(events, 'ink.live-chat.messages.outbound-message-created', 'v1');
      const all = [first, ...answers.map(({ payload }) => payload.live_chat_conversation)];
      expect(answers.length).toBeGreaterThanOrEqual(2);
      expect(new Set(all.map(({ conversation_relay_id }) => conversation_relay_id)).size).toBe(1);
      expect(new Set(all.map(({ message }) => message.relay_id)).size).toBe(all.length);
      const closed = only(events, 'ink.live-chat.closed', 'v1');
      expect(closed.payload.live_chat_conversation_relay_id).toBe(first.conversation_relay_id);
      expect(closed.at).toBe(events.at(-1)?.at);
    }
  });
});

describe('phone-call', () => {
  it('links its transcripts after the transcription', async () => {
    const emissions = await play('phone-call', {
      seed: 3,
      instances: 20,
      branches: { transcript: 'linked' },
    });
    for (const events of byCell(emissions)) {
      const [ended, linked] = of(events, 'comms.account-call.updated', 'v1');
      const transcript = only(events, 'comms.transcription.created', 'v1').payload;
      expect(ended?.payload).toMatchObject({ transcript_key: '', redacted_transcript_key: '' });
      expect(linked?.payload).toMatchObject({ ...transcript });
      expect(transcript.call_key).toBe(ended?.payload.call_key);
      expect(ended && london.next(ended.at, 'office')).toBe(ended?.at);
    }
  });
});

describe('file-upload-and-push', () => {
  it('processes only safe files', async () => {
    const upload = (what: string) => play('file-upload-and-push', { instances: 5, branches: { what } });
    for (const events of byCell(await upload('file-processed'))) {
      const { file_reference } = only(events, 'external_messaging.uploaded_file.safe', 'v1').payload;
      const read = only(events, 'external_messaging.uploaded_file.processed', 'v1');
      expect(read.payload.file_reference).toBe(file_reference);
      expect(read.key).toBe(file_reference);
    }
    expect((await upload('file-unsafe')).map(({ envelope }) => envelope.event_type)).toEqual(
      Array(5).fill('external_messaging.uploaded_file.unsafe'),
    );
  });

  it('unregisters a unique token', async () => {
    const emissions = await play('file-upload-and-push', {
      instances: 50,
      branches: { what: 'app-removed' },
    });
    const tokens = of(emissions, 'messaging.push-notification.token-unregistered', 'v1');
    expect(new Set(tokens.map(({ payload }) => payload.token)).size).toBe(50);
    for (const events of byCell(emissions)) {
      expect(events).toHaveLength(2);
      expect((events[1]?.at ?? 0) - (events[0]?.at ?? 0)).toBeLessThan(minute);
    }
  });
});

import { useMemo } from 'preact/hooks';
import type { TextContent } from '../../posted-payload.js';
import { consumers } from '../consumers/consumers-state.js';
import { useQuery } from '../query.js';
import { CodeForms } from '../shell/code-forms.js';
import { payloadOf, type StreamEvent } from '../stream/stream-event.js';
import { toThisEmulator } from '../view-route.js';
import { asCommand, asCurl, asHandler, asJson, asKcat, asTest, type Written } from './snippets.js';

/** The event as JSON, commands, handler and test, to copy. */
export function Copies({ event: { about, key, line, headers }, event }: { readonly event: StreamEvent }) {
  const payload = payloadOf(event);
  const body = useMemo(() => ({ value: line, headers }), [event]);
  // An unreadable event can only be copied as it is.
  const path = payload === undefined ? undefined : '/dashboard/encode';
  const { state, value: record } = useQuery<TextContent>(path, { body, period: 'once' });
  const written: Written = { type: about.type, version: about.version, key, line, payload };
  const servers = consumers.loaded.value.value?.bootstrap_servers;
  const kcat = record && servers ? asKcat(key, record, servers) : '';
  // Without a broker, or for a record that is not one line of text, kcat cannot write it.
  const hasKcat = state !== 'missing' && servers !== null;
  const commands: readonly (readonly [name: string, code: string])[] = [
    ['Command', asCommand(written, ` ${toThisEmulator()}`)],
    ['curl', asCurl(written, location.origin)],
    ...(hasKcat ? [['kcat', kcat] as const] : []),
    ['Handler', asHandler(written)],
    ['Test', asTest(written)],
  ];
  return (
    <section data-testid="copies">
      <CodeForms
        title="Copy as"
        about="The event"
        forms={[['JSON', asJson(written)], ...(payload === undefined ? [] : commands)]}
      />
    </section>
  );
}

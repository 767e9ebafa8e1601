import { consumers } from '../consumers/consumers-state.js';
import { CodeForms } from '../shell/code-forms.js';
import { payloadOf, type StreamEvent } from '../stream/stream-event.js';
import { toThisEmulator } from '../view-route.js';
import { asCommand, asCurl, asHandler, asJson, asKcat, asTest, type Written } from './snippets.js';

const kinds = [
  ['JSON', asJson],
  ['Command', (event: Written) => asCommand(event, ` ${toThisEmulator()}`)],
  ['curl', (event: Written) => asCurl(event, location.origin)],
  [
    'kcat',
    (event: Written) => asKcat(event, consumers.loaded.value.value?.bootstrap_servers ?? 'localhost:9092'),
  ],
  ['Handler', asHandler],
  ['Test', asTest],
] as const;

/** The event as JSON, commands, handler and test, to copy. */
export function Copies({ event: { about, key, line, headers }, event }: { readonly event: StreamEvent }) {
  const payload = payloadOf(event);
  // An unreadable event can only be copied as it is.
  const offered = payload === undefined ? kinds.slice(0, 1) : kinds;
  const written: Written = { type: about.type, version: about.version, key, headers, line, payload };
  return (
    <section data-testid="copies">
      <CodeForms
        title="Copy as"
        about="The event"
        forms={offered.map(([kind, write]) => [kind, write(written)] as const)}
      />
    </section>
  );
}

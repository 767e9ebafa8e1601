import { useState } from 'preact/hooks';
import { CopyButton } from '../shell/copy-button.js';
import { payloadOf, type StreamEvent } from '../stream/stream-event.js';
import { toThisEmulator } from '../view-route.js';
import { visibleLines } from '../visible.js';
import { asCommand, asHandler, asJson, asTest, type Written } from './snippets.js';

const kinds = [
  ['JSON', asJson],
  ['Command', (event: Written) => asCommand(event, ` ${toThisEmulator()}`)],
  ['Handler', asHandler],
  ['Test', asTest],
] as const;

/** The event as JSON, command, handler and test, to copy. */
export function Copies({ event }: { readonly event: StreamEvent }) {
  const [chosen, setChosen] = useState<(typeof kinds)[number][0]>('JSON');
  const { about, key, line } = event;
  const payload = payloadOf(event);
  // An unreadable event can only be copied as it is.
  const offered = payload === undefined ? kinds.slice(0, 1) : kinds;
  const write = offered.find(([kind]) => kind === chosen)?.[1] ?? asJson;
  const written: Written = { type: about.type, version: about.version, key, line, payload };
  const text = write(written);
  return (
    <section data-testid="copies">
      <div class="section-head">
        <h3>Copy as</h3>
        <div class="segments" role="group" aria-label="Form">
          {offered.map(([kind]) => (
            <button type="button" key={kind} aria-pressed={kind === chosen} onClick={() => setChosen(kind)}>
              {kind}
            </button>
          ))}
        </div>
        <CopyButton text={text} />
      </div>
      <pre class="code" tabIndex={0} aria-label={`The event as ${chosen}`}>
        {visibleLines(text.slice(0, 20_000))}
      </pre>
    </section>
  );
}

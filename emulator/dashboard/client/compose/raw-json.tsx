import { useState } from 'preact/hooks';
import { parseExactly } from './exact-numbers.js';

/** The payload as text. Text that is not JSON changes only the reported problem. */
export function RawJson({
  payload,
  change,
  report,
}: {
  readonly payload: unknown;
  readonly change: (payload: unknown) => void;
  /** Reports the problem of the text; undefined for none. */
  readonly report: (problem: string | undefined) => void;
}) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: unknown } | undefined>(undefined);
  const text = typed !== undefined && typed.of === payload ? typed.text : JSON.stringify(payload, null, 2);
  return (
    <textarea
      class="mono raw-json"
      aria-label="Payload as JSON"
      spellcheck={false}
      rows={Math.min(40, Math.max(12, text.split('\n').length + 1))}
      value={text}
      onInput={({ currentTarget: { value } }) => {
        try {
          const read = parseExactly(value);
          if (typeof read !== 'object' || read === null || Array.isArray(read)) {
            setTyped({ text: value, of: payload });
            report('A payload must be a JSON object.');
            return;
          }
          setTyped({ text: value, of: read });
          report(undefined);
          change(read);
        } catch (error) {
          setTyped({ text: value, of: payload });
          const { message } = error as Error;
          report(error instanceof SyntaxError ? `Not JSON yet: ${message}` : message);
        }
      }}
    />
  );
}

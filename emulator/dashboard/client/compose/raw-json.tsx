import { useState } from 'preact/hooks';

/** The payload as text. While it is no JSON, nothing changes but the complaint. */
export function RawJson({
  payload,
  change,
  tell,
}: {
  readonly payload: unknown;
  readonly change: (payload: unknown) => void;
  /** Says what is wrong with the text; undefined: nothing. */
  readonly tell: (problem: string | undefined) => void;
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
          const read: unknown = JSON.parse(value);
          if (typeof read !== 'object' || read === null || Array.isArray(read)) {
            setTyped({ text: value, of: payload });
            tell('A payload is a JSON object: it begins with {.');
            return;
          }
          setTyped({ text: value, of: read });
          tell(undefined);
          change(read);
        } catch (error) {
          setTyped({ text: value, of: payload });
          tell(`Not JSON yet: ${(error as Error).message}`);
        }
      }}
    />
  );
}

import { useRef, useState } from 'preact/hooks';
import type { Schema } from '../catalogue.js';
import { wordsOf } from '../event/schema-fields.js';
import { Select, TextInput } from '../shell/controls.js';
import type { FieldKind } from './field-kind.js';

/** The input of one value. A string of another type stays a string, which the validation reports. */
export function ScalarInput({
  id,
  kind,
  value,
  schema,
  isWrong,
  describedBy,
  set,
}: {
  readonly id: string;
  readonly kind: FieldKind;
  readonly value: unknown;
  readonly schema: Schema | undefined;
  readonly isWrong: boolean;
  readonly describedBy: string | undefined;
  readonly set: (value: unknown) => void;
}) {
  // Keeps the text of a half-typed number or JSON.
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: unknown } | undefined>(undefined);
  // A text field would drop the line breaks of its text.
  const hasLines = useRef(false);
  const attributes = { id, 'aria-invalid': isWrong, 'aria-describedby': describedBy };
  if (kind === 'choice' || kind === 'flag') {
    const choices =
      kind === 'flag'
        ? [true, false]
        : (schema?.enum ?? wordsOf(schema) ?? []).filter((each) => each !== null);
    const index = choices.findIndex((each) => each === value);
    return (
      <Select
        {...attributes}
        value={String(index)}
        options={[
          ...(index === -1 ? [['-1', asText(value, 'text')] as const] : []),
          ...choices.map((choice, at) => [String(at), asText(choice, 'text')] as const),
        ]}
        set={(chosen) => set(choices[Number(chosen)])}
      />
    );
  }
  const text = typed !== undefined && Object.is(typed.of, value) ? typed.text : asText(value, kind);
  const write = (written: string) => {
    const next = read(written, kind);
    setTyped({ text: written, of: next });
    set(next);
  };
  hasLines.current ||= text.includes('\n');
  return hasLines.current ? (
    <textarea
      {...attributes}
      class="mono"
      spellcheck={false}
      value={text}
      onInput={({ currentTarget }) => write(currentTarget.value)}
    />
  ) : (
    <TextInput
      {...attributes}
      class="mono"
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      placeholder={schema?.format ?? ''}
      value={text}
      set={write}
    />
  );
}

function read(text: string, kind: FieldKind): unknown {
  if (kind === 'number') return text.trim() !== '' && isExact(Number(text)) ? Number(text) : text;
  if (kind !== 'json') return text;
  try {
    return parseExactly(text);
  } catch {
    return text;
  }
}

function asText(value: unknown, kind: FieldKind): string {
  if (value === undefined) return '';
  return typeof value === 'string' && kind !== 'json' ? value : JSON.stringify(value);
}

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

/** Whether JavaScript cannot have rounded an integer to this number. */
const isExact = (value: number) => Math.abs(value) <= Number.MAX_SAFE_INTEGER;

/** Parses JSON. @throws Error for text that is not JSON, and for a number that would be rounded */
function parseExactly(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value === 'number' && !isExact(value)) {
      throw new Error(
        'An integer above 9007199254740991 would be rounded. Use a string or a smaller number.',
      );
    }
    return value;
  });
}

import { useState } from 'preact/hooks';
import type { Schema } from '../catalogue.js';
import { TextInput } from '../shell/text-input.js';
import { isExact, parseExactly } from './exact-numbers.js';
import type { FieldKind } from './field-kind.js';

/** The input of one value. A text of another type stays a text, which the validation reports. */
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
  const attributes = { id, 'aria-invalid': isWrong, 'aria-describedby': describedBy };
  if (kind === 'choice' || kind === 'flag') {
    const choices = kind === 'flag' ? [true, false] : (schema?.enum ?? []).filter((each) => each !== null);
    const index = choices.findIndex((each) => each === value);
    return (
      <select
        {...attributes}
        value={String(index)}
        onChange={(event) => set(choices[Number(event.currentTarget.value)])}
      >
        {index === -1 && <option value="-1">{asText(value, 'text')}</option>}
        {choices.map((choice, at) => (
          <option key={at} value={String(at)}>
            {asText(choice, 'text')}
          </option>
        ))}
      </select>
    );
  }
  const text = typed !== undefined && Object.is(typed.of, value) ? typed.text : asText(value, kind);
  return (
    <TextInput
      {...attributes}
      class="mono"
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      placeholder={schema?.format ?? ''}
      value={text}
      set={(written) => {
        const next = read(written, kind);
        setTyped({ text: written, of: next });
        set(next);
      }}
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

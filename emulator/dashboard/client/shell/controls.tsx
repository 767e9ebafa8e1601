import type { ComponentChildren, ComponentProps } from 'preact';
import { useState } from 'preact/hooks';

/** A control with its label. `id` is that of the control. */
export function Field({
  id,
  label,
  children,
}: {
  readonly id: string;
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
    </div>
  );
}

/** A single line of text that the browser neither completes nor corrects. */
export function TextInput({
  set,
  ...attributes
}: ComponentProps<'input'> & { readonly set: (text: string) => void }) {
  return (
    <input
      type="text"
      autocomplete="off"
      spellcheck={false}
      {...attributes}
      onInput={({ currentTarget: { value } }) => set(value)}
    />
  );
}

/** The result of a request, as text for the user. */
export interface ActionResult {
  readonly isGood: boolean;
  readonly text: string;
}

export function ResultText({
  answer,
  testId,
}: {
  readonly answer: ActionResult | undefined;
  readonly testId: string;
}) {
  return (
    <p class={answer?.isGood === false ? 'answer bad' : 'answer'} role="status" data-testid={testId}>
      {answer?.text}
    </p>
  );
}

/** A button whose action needs a second click. Without it, the button returns to its first state. */
export function ConfirmButton({
  label,
  question,
  about = '',
  act,
  disabled = false,
}: {
  readonly label: string;
  /** Label of the second click, with the consequence. */
  readonly question: string;
  /** The object of the action, for screen readers. Default: none. */
  readonly about?: string;
  readonly act: () => void;
  readonly disabled?: boolean;
}) {
  const [isAsking, setAsking] = useState(false);
  const text = isAsking ? question : label;
  return (
    <button
      type="button"
      class={isAsking ? 'confirm' : ''}
      disabled={disabled}
      aria-label={`${text} ${about}`.trim()}
      onBlur={() => setAsking(false)}
      onClick={() => {
        setAsking(!isAsking);
        if (isAsking) act();
      }}
    >
      {text}
    </button>
  );
}

/** A button that copies a string to the clipboard. */
export function CopyButton({ text }: { readonly text: string }) {
  const [tried, setTried] = useState({ text: '', isCopied: false });
  const copy = async () => {
    setTried({ text, isCopied: await isWritten(text) });
  };
  return (
    <button type="button" class="copy" onClick={() => void copy()}>
      {tried.text !== text ? 'Copy' : tried.isCopied ? 'Copied' : 'Select to copy'}
    </button>
  );
}

/** Writes a string to the clipboard. Returns false if the browser refuses: the user can still select the text. */
async function isWritten(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Only HTTPS and this machine's own pages have `navigator.clipboard`.
    const write = (event: ClipboardEvent) => {
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
    };
    document.addEventListener('copy', write);
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way over plain HTTP
    const isDone = document.execCommand('copy');
    document.removeEventListener('copy', write);
    return isDone;
  }
}

/** A choice from a list. */
export function Select({
  options,
  set,
  ...attributes
}: Omit<ComponentProps<'select'>, 'children' | 'role'> & {
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly set: (value: string) => void;
}) {
  return (
    <select {...attributes} onChange={({ currentTarget: { value } }) => set(value)}>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

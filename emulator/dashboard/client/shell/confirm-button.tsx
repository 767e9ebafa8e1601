import { useState } from 'preact/hooks';

/** A button whose action needs a second click. Without it, the button returns to its first state. */
export function ConfirmButton({
  label,
  question,
  act,
  disabled = false,
}: {
  readonly label: string;
  /** Label of the second click, with the consequence. */
  readonly question: string;
  readonly act: () => void;
  readonly disabled?: boolean;
}) {
  const [isAsking, setAsking] = useState(false);
  return (
    <button
      type="button"
      class={isAsking ? 'confirm' : ''}
      disabled={disabled}
      onBlur={() => setAsking(false)}
      onClick={() => {
        setAsking(!isAsking);
        if (isAsking) act();
      }}
    >
      {isAsking ? question : label}
    </button>
  );
}

import type { ComponentProps } from 'preact';

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

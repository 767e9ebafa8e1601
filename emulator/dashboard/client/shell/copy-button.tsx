import { useState } from 'preact/hooks';

/** A button that copies a text to the clipboard. */
export function CopyButton({ text }: { readonly text: string }) {
  const [tried, setTried] = useState({ text: '', isCopied: false });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setTried({ text, isCopied: true });
    } catch {
      // Only HTTPS and this machine's own pages have a clipboard. The user can still select the text.
      setTried({ text, isCopied: false });
    }
  };
  return (
    <button type="button" class="copy" onClick={() => void copy()}>
      {tried.text !== text ? 'Copy' : tried.isCopied ? 'Copied' : 'Select to copy'}
    </button>
  );
}

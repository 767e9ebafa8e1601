import { useState } from 'preact/hooks';

/** A button that copies a text to the clipboard. */
export function CopyButton({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState<string | undefined>(undefined);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(text);
    } catch {
      // Only HTTPS and this machine's own pages have a clipboard. The user can still select the text.
      setCopied(undefined);
    }
  };
  return (
    <button type="button" class="copy" onClick={() => void copy()}>
      {copied === text ? 'Copied' : 'Copy'}
    </button>
  );
}

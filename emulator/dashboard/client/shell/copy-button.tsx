import { useState } from 'preact/hooks';

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [copied, setCopied] = useState<string | undefined>(undefined);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(text);
    } catch {
      // Pages that are not served from this machine or over HTTPS have no clipboard: the text can still be marked.
      setCopied(undefined);
    }
  };
  return (
    <button type="button" class="copy" onClick={() => void copy()}>
      {copied === text ? 'Copied' : label}
    </button>
  );
}

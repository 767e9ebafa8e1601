import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy-button.js';

/** What is shown where there is nothing: why, and the command that changes it. */
export function EmptyState({
  title,
  command,
  children,
}: {
  readonly title: string;
  readonly command?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {command !== undefined && <Command text={command} />}
    </div>
  );
}

/** A command line, to be copied. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div class="command">
      <code>{text}</code>
      <CopyButton text={text} />
    </div>
  );
}

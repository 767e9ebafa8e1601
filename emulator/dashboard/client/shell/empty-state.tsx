import type { ComponentChildren } from 'preact';
import { isRefused } from '../requests.js';
import { Link } from './link.js';
import { CopyButton } from './controls.js';

/** A message in place of missing content: the reason, and a command that helps. */
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

/** A link to the view that starts scenarios in this emulator. */
export function StartLink() {
  return (
    <Link class="button main" to={{ view: 'run', event: undefined }}>
      Start a scenario
    </Link>
  );
}

/** The message for a lost connection. */
export function NotConnected() {
  return isRefused.value ? (
    <EmptyState title="The emulator has a new access token">
      Open the address that it printed at its start. This page then reconnects.
    </EmptyState>
  ) : (
    <EmptyState title="The emulator does not respond" command="npx emulate --scenario house-move">
      Start the emulator. The dashboard reconnects automatically.
    </EmptyState>
  );
}

/** A command line with a button to copy it. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div class="frame command">
      <code>{text}</code>
      <CopyButton text={text} />
    </div>
  );
}

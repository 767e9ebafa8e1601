import type { ComponentChildren } from 'preact';

export interface Column {
  readonly head: ComponentChildren;
  /** Numbers are right-aligned. A small screen hides `wide-only`. Default: text. */
  readonly kind?: 'number' | 'wide-only';
}

/** A table that scrolls in its own frame. The children are its rows. */
export function DataTable({
  label,
  columns,
  children,
}: {
  readonly label: string;
  readonly columns: readonly (string | Column)[];
  readonly children: ComponentChildren;
}) {
  return (
    <div class="frame table-frame" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => {
              const { head, kind } = typeof column === 'string' ? { head: column } : column;
              return (
                <th scope="col" key={index} {...(kind !== undefined && { class: kind })}>
                  {head}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export function numbers(head: string): Column {
  return { head, kind: 'number' };
}

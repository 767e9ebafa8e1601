import type { HTMLAttributes } from 'preact';
import { addressOf, go, type ViewRoute, viewRoute } from '../view-route.js';

/** A link within the dashboard. With a modifier key, the browser opens it. */
export function Link({
  to,
  ...attributes
}: Omit<HTMLAttributes<HTMLAnchorElement>, 'role'> & { readonly to: Partial<ViewRoute> }) {
  return (
    <a
      {...attributes}
      href={addressOf({ ...viewRoute.value, ...to })}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go(to);
      }}
    />
  );
}

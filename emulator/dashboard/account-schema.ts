import { apiDocument } from '../platform-api/document.js';

/** The schema of an account in the REST API, with all that it refers to, in the form that those of events have. */
export function accountSchema(): object {
  const { schemas } = apiDocument().components;
  const $defs = JSON.parse(JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/$defs/')) as Record<
    string,
    object
  >;
  return { ...$defs['Account'], $defs };
}

import { whole } from 'busbar/base';
import type { SchemaError } from '../http/operations.js';
import type { Problem } from './api-error.js';
import { readDatetime } from './local-time.js';

/** The parts of a schema that problems describe. */
interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

export const parameterFormats = {
  'date-time': (text: string) => typeof readDatetime(text) === 'number',
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
};

/** Returns the problem of an invalid parameter or member of a body. */
export function requestProblem(error: SchemaError): Problem {
  const { instancePath, keyword, params } = error;
  const [, part, attr = 'body'] = instancePath.split('/');
  if (part === 'parameters') return { attr, ...parameterProblem(attr, error) };
  return keyword === 'required'
    ? { attr: String(params['missingProperty']), code: 'required', detail: 'Is required.' }
    : { attr, code: 'invalid_type', detail: `Must be ${[params['type']].flat().join(' or ')}.` };
}

function parameterProblem(name: string, { data, parentSchema = {} }: SchemaError): Omit<Problem, 'attr'> {
  const { type, format, minimum: from = 0, maximum: to } = parentSchema as Schema;
  if (Array.isArray(data)) return { code: 'repeated_parameter', detail: 'Must occur once.' };
  if (type === 'boolean') return { code: 'invalid_boolean', detail: 'Must be true or false.' };
  if (type === 'integer') {
    const { expected } = whole({ from, ...(to !== undefined && { to }) });
    return { code: `invalid_${name}`, detail: `Must be ${expected}.` };
  }
  if (format === 'uuid') {
    return { code: 'invalid_event_id', detail: 'Must be the id of an event: a UUID in lower case.' };
  }
  if (format === undefined) {
    const detail = 'Must be a brand code: capital letters, digits and underscores.';
    return { code: `invalid_${name}`, detail };
  }
  return readDatetime(String(data)) === 'nonexistent_local_time'
    ? {
        code: 'nonexistent_local_time',
        detail: 'Clocks in London skip this local time. Send a timezone.',
      }
    : { code: 'invalid_datetime', detail: 'Must be an ISO 8601 datetime, for example 2026-03-02T09:00:00Z.' };
}

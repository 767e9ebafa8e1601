import type { ApiDocument, Handlers } from '../http/operations.js';
import document from './generated/openapi.json' with { type: 'json' };
import type { Operations } from './generated/operations.js';

export type ControlHandlers = Handlers<Operations>;

/** The OpenAPI document of the control API, which declares its paths, parameters, bodies and responses. */
export const controlDocument: ApiDocument = document as unknown as ApiDocument;

/** Returns the document for an emulator without a run that it can control, for example a replay. */
export function documentWithoutRun(): ApiDocument {
  const paths = Object.entries(controlDocument.paths).filter(([, item]) =>
    Object.values(item).every(({ tags }) => tags.includes('servers')),
  );
  return { ...controlDocument, paths: Object.fromEntries(paths) };
}

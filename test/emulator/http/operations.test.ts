import { Router } from 'express';
import { describe, expect, it } from 'vitest';
import { addOperations, type ApiDocument } from '../../../emulator/http/operations.js';
import { serving } from '../../../emulator/control-api/responses.js';

const document: ApiDocument = {
  openapi: '3.1.0',
  paths: { '/time': { get: { operationId: 'getTime', tags: [], responses: { '200': {} } } } },
  components: { schemas: {} },
};
const add = (handlers: Record<string, () => object>) => () =>
  addOperations(Router(), document, handlers, serving);

describe('operations of a document', () => {
  it('require one handler each, and refuse other handlers', () => {
    expect(add({ getTime: () => ({}) })).not.toThrow();
    expect(add({})).toThrow('Operation "getTime" has no handler.');
    expect(add({ getTime: () => ({}), setTime: () => ({}) })).toThrow(
      'Handlers without an operation: setTime.',
    );
  });
});

import type { Recipe } from '../recipe.js';

/** An operation of each API. */
export const operation: Recipe = {
  title: 'Add an operation to an API',
  files: {
    'test/emulator/platform-api/status.test.ts': `
import { expect, it } from 'vitest';
import { serve } from './serve.js';

it('reads the status of the platform', async () => {
  const { get } = await serve();
  expect(await get('status/')).toEqual({ status: 'ok' });
});
`,
  },
  edits: [
    {
      file: 'emulator/control-api/control-api.openapi.yaml',
      line: '/clock:',
      where: 'before',
      insert: `
  /run/seed:
    get:
      operationId: getSeed
      tags: [run]
      summary: The seed of the run
      responses:
        '200':
          content:
            application/json:
              schema: { type: object, required: [seed], properties: { seed: { type: integer } } }`,
    },
    {
      file: 'emulator/control-api/run.ts',
      line: 'getRun: status,',
      insert: '    getSeed: () => ({ seed: session.plan.seed ?? 1 }),',
    },
    {
      file: 'catalogue/platform-api.openapi.json',
      line: '"/products/{product_code}/": {',
      where: 'before',
      insert: `
    "/status/": {
      "get": {
        "operationId": "readStatus",
        "tags": [
          "products"
        ],
        "summary": "Whether the platform works",
        "responses": {
          "200": {
            "description": "The status.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": [
                    "status"
                  ],
                  "properties": {
                    "status": {
                      "type": "string"
                    }
                  }
                }
              }
            }
          },
          "405": {
            "$ref": "#/components/responses/MethodNotAllowed"
          },
          "429": {
            "$ref": "#/components/responses/TooManyRequests"
          },
          "5XX": {
            "$ref": "#/components/responses/Unavailable"
          }
        }
      }
    },`,
    },
    {
      file: 'emulator/platform-api/api.ts',
      line: 'readProduct: readProduct(world),',
      insert: "    readStatus: () => ({ status: 'ok' }),",
    },
  ],
};

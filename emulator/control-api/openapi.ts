import { controlPaths } from './openapi-paths.js';
import { controlSchemas } from './openapi-schemas.js';

/** The OpenAPI document of the control API: all of it is ours, nothing is the platform's. */
export const controlDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Busbar control API',
    version: '1.0.0',
    description:
      'Steers a local emulator of the energy platform: its run, its clock and what comes in from outside.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/emulator/v1' }],
  security: [],
  paths: controlPaths,
  components: {
    schemas: controlSchemas,
    responses: {
      Error: {
        description: 'What is wrong',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  },
};

import { expect, it } from 'vitest';
import { run } from '../../command.js';

it.each([
  '',
  'dead-letters',
  'dead-letters list',
  'dead-letters show',
  'dead-letters replay',
  'offsets',
  'offsets reset',
])('prints the choices for busbar %s --help', async (command) => {
  const { code, stdout, stderr } = await run('busbar', [...command.split(' ').filter(Boolean), '--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchSnapshot();
});

import { check } from './changes/check.js';
import { error } from './changes/error.js';
import { event } from './changes/event.js';
import { invariant } from './changes/invariant.js';
import { kafkaApi } from './changes/kafka-api.js';
import { operation } from './changes/operation.js';
import { scenario } from './changes/scenario.js';
import { sink } from './changes/sink.js';
import { transport } from './changes/transport.js';
import { view } from './changes/view.js';
import type { Recipe } from './recipe.js';

/** A change for each recipe of CONTRIBUTING.md, in the order of the page. */
export const recipes: readonly Recipe[] = [
  event,
  scenario,
  invariant,
  operation,
  sink,
  kafkaApi,
  transport,
  error,
  check,
  view,
];

import { BusbarError, quoted } from 'busbar/base';
import type { Catalogue } from 'busbar/catalogue';
import type { Occurrence, Step, Steps } from '../engine/scenario.js';
import { foreignIdentifierIn, objectionToKey } from '../world/belonging.js';
import type { Cell } from '../world/cell.js';
import type { PlatformScenario } from './define.js';

/**
 * Checks the events of a scenario: the key must be that of the entity in the event's schema, and neither key nor payload
 * may identify an account, user, property, supply point or other object of another cell. Built-in scenarios are checked
 * by tests instead.
 * @throws BusbarError `scenario-failed` from the step that breaks a rule. The message contains no payload values.
 */
export function enforceCellIsolation(scenario: PlatformScenario, catalogue: Catalogue): PlatformScenario {
  return {
    ...scenario,
    run: (context) => map(scenario.run(context), (step) => check(step, scenario.name, context.cell)),
  };

  function check(step: Step, name: string, cell: Cell): Step {
    const where = `Scenario ${quoted(name)} in cell ${cell.index}`;
    switch ((step as Partial<Step> | undefined)?.kind) {
      case 'wait':
        return step;
      case 'together': {
        const { threads } = step as Step & { kind: 'together' };
        return {
          kind: 'together',
          threads: threads.map((steps) => map(steps, (each) => check(each, name, cell))),
        };
      }
      case 'emit': {
        const { occurrence, name: stepName } = step as Step & { kind: 'emit' };
        const objection = objectionTo(occurrence, cell, catalogue);
        if (objection === undefined) return step;
        throw new BusbarError('scenario-failed', `${where}, step ${quoted(stepName)}, ${objection}`);
      }
      case undefined:
      default: {
        const hint = 'Write "yield*" before "emit", "after" and the like, not "yield".';
        throw new BusbarError('scenario-failed', `${where} yields a value that is not a step. ${hint}`);
      }
    }
  }
}

function* map(steps: Steps, change: (step: Step) => Step): Steps {
  for (const step of steps) yield change(step);
}

function objectionTo({ type, key, versions }: Occurrence, cell: Cell, catalogue: Catalogue) {
  for (const { version, payload } of versions) {
    // The encoder refuses events that are not in the catalogue.
    const event = catalogue.find(type, version);
    if (event === undefined) continue;
    const objection = objectionToKey(cell, event.key, key);
    if (objection !== undefined) {
      return `emits ${quoted(event.name)}, but ${objection}. "busbar catalogue show ${event.name}" prints its key.`;
    }
    const pointer = foreignIdentifierIn(cell, payload);
    if (pointer === undefined) continue;
    return `leaves its cell: ${quoted(event.name)} has an identifier of another cell at "${pointer}". Use identifiers of "context.cell".`;
  }
  return undefined;
}

import type { Catalogue } from '../../catalogue/index.js';
import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';
import type { Occurrence, Step, Steps } from '../engine/scenario.js';
import { objectionToKey, strangerIn } from '../world/belonging.js';
import type { Cell } from '../world/cell.js';
import type { PlatformScenario } from './define.js';

/**
 * Holds a scenario to its cell: what it lets happen is keyed by the entity that the event's schema names, and neither
 * key nor payload names accounts, users, properties, supply points or other things of another cell. The built-in
 * scenarios need no watching at run time: a test holds every branch of them to the same.
 * @throws BusbarError `scenario-failed` from the step that does otherwise; it repeats no value.
 */
export function keepToCell(scenario: PlatformScenario, catalogue: Catalogue): PlatformScenario {
  return {
    ...scenario,
    run: (stage) => kept(scenario.run(stage), (step) => watch(step, scenario.name, stage.cell)),
  };

  function watch(step: Step, name: string, cell: Cell): Step {
    const where = `Scenario ${quoted(name)} in cell ${cell.index}`;
    switch ((step as Partial<Step> | undefined)?.kind) {
      case 'wait':
        return step;
      case 'together': {
        const { threads } = step as Step & { kind: 'together' };
        return {
          kind: 'together',
          threads: threads.map((steps) => kept(steps, (each) => watch(each, name, cell))),
        };
      }
      case 'emit': {
        const { occurrence, name: called } = step as Step & { kind: 'emit' };
        const objection = objectionTo(occurrence, cell, catalogue);
        if (objection === undefined) return step;
        throw new BusbarError('scenario-failed', `${where}, step ${quoted(called)}, ${objection}`);
      }
      case undefined:
      default: {
        const hint = 'Write "yield*" before "emit", "after" and the like, not "yield".';
        throw new BusbarError('scenario-failed', `${where} yields something that is no step. ${hint}`);
      }
    }
  }
}

function* kept(steps: Steps, watch: (step: Step) => Step): Steps {
  for (const step of steps) yield watch(step);
}

function objectionTo({ type, key, versions }: Occurrence, cell: Cell, catalogue: Catalogue) {
  for (const { version, payload } of versions) {
    // An event that the catalogue does not have is refused where it is encoded.
    const event = catalogue.find(type, version);
    if (event === undefined) continue;
    const objection = objectionToKey(cell, event.key, key);
    if (objection !== undefined) {
      return `emits ${quoted(event.name)}, but ${objection}. See docs/events.md for what the key of an event names.`;
    }
    const stranger = strangerIn(cell, payload);
    if (stranger === undefined) continue;
    return `leaves its cell: ${quoted(event.name)} names something of another at "${stranger.pointer}". Use what "stage.cell" has.`;
  }
  return undefined;
}

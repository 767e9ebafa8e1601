import type { Rule, Scene } from '../subject.js';

/** Rules by the name of the field. */
export type Rules = Readonly<Record<string, Rule>>;

/**
 * What one area of the business says about fields. One name can mean several things: what the event says about the
 * fields at its top goes before what the shape says, and that before the bare name.
 */
export interface Area {
  readonly fields?: Rules;
  /** By the name of the shape. */
  readonly shapes?: Readonly<Record<string, Rules>>;
  /** By the name of the field that holds the object, where one shape has several meanings in another. */
  readonly inside?: Readonly<Record<string, Rules>>;
  /** By event type; `deposit_agreement.*` is all that begin so. */
  readonly events?: Readonly<Record<string, Rules>>;
  /** How many objects a list has, by the name of the field. Default one or two. */
  readonly counts?: Readonly<Record<string, (scene: Scene) => number>>;
}

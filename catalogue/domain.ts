/**
 * The part of the business an event type belongs to, which is also its folder: what stands before the first dot
 * (`billing.final_bill` is `billing`), or the first two words of a type without dots (`dunning_path_paused` is
 * `dunning_path`).
 */
export function domainOf(type: string): string {
  return type.includes('.') ? type.slice(0, type.indexOf('.')) : type.split('_').slice(0, 2).join('_');
}

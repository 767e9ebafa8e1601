/**
 * Takes `moveBefore` from the page's elements, so that Preact moves them by `insertBefore`. Chromium 137 forgets changes of
 * style and new children of an element that is moved by it: a row has the colour of another, or nothing in it.
 */
export function moveByInsertion(): void {
  if ('moveBefore' in Element.prototype) Reflect.deleteProperty(Element.prototype, 'moveBefore');
}

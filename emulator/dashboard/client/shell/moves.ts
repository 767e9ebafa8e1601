/**
 * Removes `moveBefore` from elements, so that Preact moves them by `insertBefore`. Chromium 137 loses changed styles and
 * new children of elements moved by `moveBefore`: a row shows another's colour, or nothing.
 */
export function moveByInsertion(): void {
  if ('moveBefore' in Element.prototype) Reflect.deleteProperty(Element.prototype, 'moveBefore');
}

/**
 * Moves the focus to the nearest remaining ancestor when the focused element disappears or becomes disabled: without it,
 * keys act on the whole page. Returns a function that stops it.
 */
export function keepFocus(): () => void {
  /** The element that was focused last, and its ancestors. */
  let path: readonly HTMLElement[] = [];
  const focused = (event: FocusEvent) => {
    path = event.composedPath().filter((each) => each instanceof HTMLElement);
  };
  const observer = new MutationObserver(() => {
    const { activeElement, body } = document;
    const canStay = path[0] === undefined || isUsable(path[0]);
    if (canStay || (activeElement !== body && activeElement !== path[0])) return;
    path = path.filter((each) => isUsable(each) && each !== body);
    path.find(takesFocus);
  });
  window.addEventListener('focusin', focused);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  return () => {
    window.removeEventListener('focusin', focused);
    observer.disconnect();
  };
}

function isUsable(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled');
}

/** Focuses an element. Returns false if it has no box, and so cannot have the focus. */
function takesFocus(element: HTMLElement): boolean {
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

/**
 * Moves the focus to the nearest remaining ancestor when the focused element disappears: without it, the next Tab starts at
 * the top of the page. Returns a function that stops it.
 */
export function keepFocus(): () => void {
  /** The element that was focused last, and its ancestors. */
  let path: readonly HTMLElement[] = [];
  const focused = (event: FocusEvent) => {
    path = event.composedPath().filter((each) => each instanceof HTMLElement);
  };
  const observer = new MutationObserver(() => {
    if (path[0]?.isConnected !== false || document.activeElement !== document.body) return;
    path = path.filter((each) => each.isConnected && each !== document.body);
    path.find(takesFocus);
  });
  window.addEventListener('focusin', focused);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    window.removeEventListener('focusin', focused);
    observer.disconnect();
  };
}

/** Focuses an element. Returns false if it has no box, and so cannot have the focus. */
function takesFocus(element: HTMLElement): boolean {
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

import { options, type VNode } from 'preact';

/** Attributes that a browser shows or reads aloud. */
const shownAttributes = ['aria-label', 'aria-valuetext', 'title', 'label'];

/** Shows control and bidirectional characters as escapes: they would hide or reorder the text around them. */
export function visible(text: string): string {
  return text.replace(
    /(?!\n|\u200c|\u200d)[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

// Preact calls this for each element and each text before it draws them.
options.vnode = (vnode: Pick<VNode, 'type'> & { props: unknown }) => {
  const { type, props } = vnode;
  if (typeof props === 'string') vnode.props = visible(props);
  if (typeof type !== 'string') return;
  const attributes = props as Record<string, unknown>;
  for (const name of shownAttributes) {
    const text = attributes[name];
    if (typeof text === 'string') attributes[name] = visible(text);
  }
};

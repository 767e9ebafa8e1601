import { dirname, join, relative, resolve } from 'node:path';

const docs = join(import.meta.dirname, '../..');

/** The parts of markdown-it that are used here. */
interface Token {
  readonly type: string;
  content: string;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
}
interface State {
  readonly tokens: readonly Token[];
  readonly env: { readonly path?: string };
}
interface Markdown {
  readonly core: { readonly ruler: { push(name: string, rule: (state: State) => void): void } };
}

/**
 * Removes links to files of the repository that are no pages, such as sources and examples: the site knows no address of
 * the repository. Their text stays, unless the parentheses have nothing else: "(why)" says nothing without its page.
 */
export function removeOutsideLinks(md: Markdown): void {
  md.core.ruler.push('outside links', ({ tokens, env }) => {
    for (const { children } of tokens) {
      for (let index = 0; children !== null && index < children.length; index++) {
        if (!isOutside(children[index], env.path ?? '')) continue;
        const close = children.findIndex(({ type }, at) => at > index && type === 'link_close');
        const [before, after] = [children[index - 1], children[close + 1]];
        if (before?.content.endsWith(' (') === true && after?.content.startsWith(')') === true) {
          before.content = before.content.slice(0, -2);
          after.content = after.content.slice(1);
          children.splice(index, close - index);
        } else children.splice(close, 1);
        children.splice(index--, 1);
      }
    }
  });
}

function isOutside(token: Token | undefined, from: string): boolean {
  const target = token?.type === 'link_open' ? token.attrGet('href') : null;
  if (target === null || /^([a-z]+:|#|\/)/.test(target)) return false;
  return /^(\.\.|decisions|api\.md)/.test(relative(docs, resolve(dirname(from), target)));
}

/** The parts of markdown-it that are used here. */
interface Token {
  readonly type: string;
  readonly content: string;
  tag: string;
}
interface Markdown {
  readonly core: {
    readonly ruler: { push(name: string, rule: (state: { readonly tokens: Token[] }) => void): void };
  };
}

/** Makes each empty header of a table a plain cell: screen readers announce headers, and this one says nothing. */
export function makeEmptyHeadersCells(md: Markdown): void {
  md.core.ruler.push('empty headers', ({ tokens }) => {
    for (const [index, open] of tokens.entries()) {
      const [content, close] = tokens.slice(index + 1);
      if (open.type === 'th_open' && content?.content === '' && close !== undefined)
        open.tag = close.tag = 'td';
    }
  });
}

/** Returns a table. The cells are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Returns plain text as Markdown: no character has a meaning for Markdown or Vue. */
export function text(plain: string): string {
  return plain.replaceAll(/[\\`*_{}[\]<>|&]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Returns a block of code in a language. */
export function code(language: string, source: string): string {
  return `\`\`\`${language}\n${source}\n\`\`\`\n`;
}

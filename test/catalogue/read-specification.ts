/**
 * The entries of the specification document in the notation of `facts.txt`: the bullets from its shared shapes
 * on, without their Markdown, with what a heading line says of all bullets below it written into each.
 * Headings come out as `##`, because the facts name groups in other words.
 */
export function readSpecification(markdown: string): string[] {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => /^### Shared shapes/.test(line));
  if (start < 0) throw new Error('The document has no section "Shared shapes".');

  const entries: string[] = [];
  let common = '';
  for (const line of lines.slice(start)) {
    if (line.startsWith('#')) {
      common = '';
      entries.push('##');
    } else if (line.startsWith('- ')) {
      entries.push(withCommon(plain(line.slice(2)), common));
    } else if (/events \(.*v1.*\):$/.test(line)) {
      common = /payload \w+/.exec(line)?.[0] ?? 'v1';
    }
  }
  return entries;
}

function plain(bullet: string): string {
  return bullet
    .replace(/[`]|\*\*/g, '')
    .replace(/ \((?:payload shared|all optional)[^)]*\)/, '')
    .replace(/ are listed\. .*$/, '')
    .trim();
}

/** Bullets that leave out version and payload have them from the line above their list. */
function withCommon(bullet: string, common: string): string {
  if (common === '') return bullet;
  const [name = '', fields] = bullet.split(': ');
  return `${name} v1: ${(fields ?? common).replace(/\.$/, '')}`;
}

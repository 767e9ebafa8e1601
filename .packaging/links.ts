import { posix } from 'node:path';

/** A page of a package, and the facts that decide where its links lead. */
export interface PackedPage {
  /** The folder of the page, from the root of the repository. */
  readonly folder: string;
  /** The files of the package, from its folder. */
  readonly files: ReadonlySet<string>;
  /** Address of the repository, if there is one. */
  readonly repository?: string | undefined;
  /** The tag of the release. */
  readonly tag: string;
}

const link = /(!?)\[([^[\]]*)\]\(([^()\s]+)\)/g;

/** Returns the targets of the links and images of a page that are paths. */
export function relativeTargets(page: string): string[] {
  return [...page.matchAll(link)].map(([, , , target = '']) => target).filter(isPath);
}

/**
 * Returns a page whose links work in the package. A link to a file that the package lacks leads to the repository.
 * Without a repository, the link becomes its text, and an image disappears.
 */
export function packedPage(page: string, { folder, files, repository, tag }: PackedPage): string {
  return page.replaceAll(link, (whole, image: string, text: string, target: string) => {
    if (!isPath(target)) return whole;
    const [path = '', fragment] = target.split('#');
    if (files.has(posix.normalize(path))) return whole;
    if (repository === undefined) return image === '' ? text : '';
    const view = image === '' ? 'blob' : 'raw';
    const place = posix.join(folder, path) + (fragment === undefined ? '' : `#${fragment}`);
    return `${image}[${text}](${repository}/${view}/${tag}/${place})`;
  });
}

function isPath(target: string): boolean {
  return !/^(#|[a-z]+:)/.test(target);
}

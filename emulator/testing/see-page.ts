/** Returns a sentence that names a page of the documentation by its title: packages contain no pages. */
export function seePage(title: string): string {
  return `See "${title}" in Busbar's documentation.`;
}

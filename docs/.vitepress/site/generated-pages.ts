import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the generated pages of a folder, for a dynamic route with the parameter `page`. */
export function generatedPages(folder: 'api' | 'events') {
  const path = join(import.meta.dirname, '../generated', folder);
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && file !== 'index.md')
    .map((file) => ({
      params: { page: file.replaceAll('\\', '/').replace(/\.md$/, '') },
      content: readFileSync(join(path, file), 'utf8'),
    }));
}

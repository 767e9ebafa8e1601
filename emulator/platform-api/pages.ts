import { ApiError } from './api-error.js';

/** A list whose records are created only for the requested page. */
export interface Records<T> {
  readonly count: number;
  /** Returns the record at an index, from 0. */
  readonly at: (index: number) => T;
}

const defaultPageSize = 100;

/**
 * Returns a page of records. `locator` is the absolute URL of the request; next and previous change only its page.
 * @throws ApiError 404 beyond the last page.
 */
export function pageOf<T>(
  { count, at }: Records<T>,
  { page = 1, page_size: size = defaultPageSize }: { readonly page?: number; readonly page_size?: number },
  locator: URL,
) {
  const last = Math.max(1, Math.ceil(count / size));
  if (page > last) throw new ApiError(404, 'invalid_page', `There are ${last} pages.`);
  const first = (page - 1) * size;
  return {
    count,
    next: page < last ? withPage(locator, page + 1) : null,
    previous: page > 1 ? withPage(locator, page - 1) : null,
    results: Array.from({ length: Math.min(size, count - first) }, (_, index) => at(first + index)),
  };
}

function withPage(locator: URL, page: number): string {
  const other = new URL(locator);
  other.searchParams.set('page', String(page));
  return other.href;
}

import { ApiError } from './api-error.js';

/** Records in an order, of which only those of a page are ever made. */
export interface Records<T> {
  readonly count: number;
  /** The record at that place, from 0. */
  readonly at: (place: number) => T;
}

export interface Page<T> {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly T[];
}

export const defaultPageSize = 100;

/**
 * A page of the records. `locator` is the absolute address of the request: next and previous keep its query and
 * change the page alone.
 * @throws ApiError 404 beyond the last page.
 */
export function pageOf<T>(
  { count, at }: Records<T>,
  { page = 1, page_size: size = defaultPageSize }: { readonly page?: number; readonly page_size?: number },
  locator: URL,
): Page<T> {
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

import { CustomerPage, CustomerTotals, type CustomerStatus } from '@beltway/contracts/ticketing/customers';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { get } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { saveFile } from '../../lib/browser/save-file.ts';

/** services/ticketing/PRODUCT.md#customers */
const POLL_MS = 30_000;
/**
 * When more pages than this are loaded, polling stops, because each poll refetches all loaded pages. Retry and a new
 * search still refetch.
 */
const MAX_POLLED_PAGES = 4;

export interface CustomerSearch {
  q: string;
  status: CustomerStatus;
}

const parametersOf = ({ q, status }: CustomerSearch, more: Record<string, string> = {}): string =>
  new URLSearchParams({ status, ...(q && { q }), ...more }).toString();

/** The buyers, page by page; polled every 30 seconds. */
export const customersQuery = (search: CustomerSearch) =>
  infiniteQueryOptions({
    queryKey: ['/api/tickets/customers', search.status, search.q],
    queryFn: ({ pageParam, signal }) =>
      get(`/api/tickets/customers?${parametersOf(search, pageParam ? { cursor: pageParam } : {})}`, CustomerPage, {
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.pages.length ?? 0) <= MAX_POLLED_PAGES && POLL_MS,
  });

/** Sums over all orders, regardless of the list's filter. */
export const customerTotalsQuery = () => ({
  ...apiQuery(CustomerTotals, '/api/tickets/customers', 'totals'),
  staleTime: 0,
  refetchInterval: POLL_MS,
});

/** Saves all pages of the list as a file. */
export async function saveCustomers(search: CustomerSearch): Promise<void> {
  await get('/api/tickets/customers?limit=1', CustomerPage); // renews an expired session
  await saveFile(`/api/tickets/customers.csv?${parametersOf(search)}`, 'customers.csv');
}

import { SalesList } from '@beltway/contracts/ticketing/tickets';
import { apiQuery } from '../http/query.ts';

/** services/ticketing/PRODUCT.md#sales-figures */
const POLL_MS = 30_000;

/**
 * The sales of the account's events; polled every 30 seconds, and refetched when the stock of a watched event changes
 * (`useStock`).
 */
export const salesQuery = () => ({
  ...apiQuery(SalesList, '/api/tickets/sales'),
  staleTime: 0,
  refetchInterval: POLL_MS,
});

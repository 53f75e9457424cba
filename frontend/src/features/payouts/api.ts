import { ConnectAccountLink, Payouts } from '@beltway/contracts/payments/payouts';
import { queryOptions } from '@tanstack/react-query';
import { post } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';

const POLL_MS = 30_000;

/** The organizer's own figures, or the platform's for an admin. Polled every 30 seconds. */
export const payoutsQuery = () => ({ ...apiQuery(Payouts, '/api/payouts'), staleTime: 0, refetchInterval: POLL_MS });

/** Checks the account's state with the provider, once per visit to the page to which the setup returns. */
export const checkQuery = () =>
  queryOptions({
    queryKey: ['/api/payouts', 'check'],
    queryFn: () => post('/api/payouts/check', {}, Payouts),
    staleTime: 0,
    gcTime: 0,
  });

/** Returns the URL of the provider's setup page, or undefined if the response has none. Throws if the call fails. */
export async function accountLink(): Promise<string | undefined> {
  const answer = await post('/api/stripe/create-connect-account', {});
  return ConnectAccountLink.safeParse(answer).data?.accountLinkUrl;
}

import { ConnectAccountLink, Payouts } from '@beltway/contracts/payments/payouts';
import { queryOptions } from '@tanstack/react-query';
import { post } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';

const POLL_MS = 30_000;

/** Own figures, of an admin the platform's; requested again every 30 seconds. */
export const payoutsQuery = () => ({ ...apiQuery(Payouts, '/api/payouts'), staleTime: 0, refetchInterval: POLL_MS });

/** Asks the provider how the account stands: once for each visit of the page that its set-up leads back to. */
export const checkQuery = () =>
  queryOptions({
    queryKey: ['/api/payouts', 'check'],
    queryFn: () => post('/api/payouts/check', {}, Payouts),
    staleTime: 0,
    gcTime: 0,
  });

/** The provider's page for the set-up; undefined when the answer has none. Throws when the call fails. */
export async function accountLink(): Promise<string | undefined> {
  const answer = await post('/api/stripe/create-connect-account', {});
  return ConnectAccountLink.safeParse(answer).data?.accountLinkUrl;
}

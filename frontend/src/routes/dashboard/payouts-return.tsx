import { useQuery } from '@tanstack/react-query';
import { AccountState } from '../../features/payouts/account-state.tsx';
import { checkQuery } from '../../features/payouts/api.ts';
import { texts } from '../../features/payouts/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { explain } from '../../lib/http/http.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';

/** The page to which the provider's payout setup returns, finished or abandoned. Shows the account's current state. */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('setup'));
  const { data, error, isFetching, refetch } = useQuery(checkQuery());
  return (
    <div className="page grid justify-items-start gap-6 py-8 lg:py-12">
      <h1 className="text-heading">{t('setup')}</h1>
      {data ? (
        <AccountState state={data.state} heading="h2" />
      ) : error ? (
        <ErrorState
          title={t('notAsked')}
          message={explain(error)}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <Loading label={t('asking')} className="w-full">
          <Skeleton className="h-36 rounded-lg" />
        </Loading>
      )}
      <ButtonLink to="/dashboard" variant="secondary">
        {t('dashboard')}
      </ButtonLink>
    </div>
  );
}

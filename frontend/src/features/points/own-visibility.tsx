import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { explain } from '../../lib/http/http.ts';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { statsQuery } from './api.ts';
import { texts } from './texts.en.ts';
import { VisibilitySwitch } from './visibility-switch.tsx';

/** The section of /account that sets whether others see the account's profile and leaderboard position. */
export function OwnVisibility({ userId }: { userId: number }) {
  const t = useTexts(texts);
  const found = useQuery(statsQuery(userId));
  return (
    <section aria-labelledby="privacy-title" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="privacy-title" className="text-title">
        {t('privacy')}
      </h2>
      {found.data ? (
        <VisibilitySwitch stats={found.data} />
      ) : found.error ? (
        <ErrorState
          heading="h3"
          title={t('privacyNotLoaded')}
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Loading label={t('privacyLoading')}>
          <Skeleton className="h-24 w-full rounded-lg" />
        </Loading>
      )}
      <p>
        <TextLink to={`/u/${userId}`}>{t('seeProfile')}</TextLink>
      </p>
    </section>
  );
}

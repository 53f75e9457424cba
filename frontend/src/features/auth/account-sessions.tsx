import type { AccountSession } from '@beltway/contracts/identity/accounts';
import { useQuery } from '@tanstack/react-query';
import { useClock } from '../../lib/time/clock.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { explain } from '../../lib/http/http.ts';
import { formatAge, formatMoment } from '../../lib/i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Meta } from '../../ui/meta.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { sessionsQuery, useEndSession } from './account-api.ts';
import { texts } from './account.texts.en.ts';

const MINUTE_MS = 60_000;

/** Where one is signed in, and how to end that. */
export function AccountSessions() {
  const t = useTexts(texts);
  const now = useClock([], MINUTE_MS);
  const found = useQuery(sessionsQuery());
  const ending = useEndSession();
  const { data, error } = found;
  const others = data?.items.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  const endOf = (session: AccountSession) => (
    <Button
      variant="secondary"
      aria-label={t('signOutOf', { device: session.device, start: formatMoment(session.startedAt) })}
      pending={ending.isPending && ending.variables === session.id}
      disabled={ending.isPending}
      onClick={() => ending.mutate(session.id)}
    >
      {t('signOut')}
    </Button>
  );
  return (
    <Card ground="none" aria-labelledby="account-sessions-title" className="gap-3">
      <h3 id="account-sessions-title" className="font-strong">
        {t('sessionsTitle')}
      </h3>
      {data ? (
        <>
          <ul className="grid divide-y divide-line">
            {data.items.map((session) => (
              <li key={session.id} className="flex flex-wrap items-center justify-between gap-3 py-3">
                <div className="min-w-0">
                  <p className="flex flex-wrap items-center gap-2 font-strong">
                    {session.device}
                    {session.isCurrent && <Badge tone="success">{t('thisDevice')}</Badge>}
                  </p>
                  <Meta>
                    {t('since', {
                      start: formatMoment(session.startedAt),
                      age: formatAge(session.usedAt, now).toLowerCase(),
                    })}
                  </Meta>
                </div>
                {!session.isCurrent && endOf(session)}
              </li>
            ))}
          </ul>
          {others > 0 && (
            <Button
              variant="secondary"
              className="justify-self-start"
              pending={ending.isPending && ending.variables === 'others'}
              disabled={ending.isPending}
              onClick={() => ending.mutate('others')}
            >
              {t('signOutOthers')}
            </Button>
          )}
          <p role="status" className="sr-only">
            {ending.isSuccess && t('signedOutThere')}
          </p>
          <Failure of={ending.error} />
        </>
      ) : error ? (
        <ErrorState
          heading="h3"
          title={t('sessionsFailed')}
          message={explain(error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Loading label={t('sessionsLoading')}>
          <Skeleton className="h-24 rounded-lg" />
        </Loading>
      )}
    </Card>
  );
}

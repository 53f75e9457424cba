import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ownEventsQuery } from '../../lib/events/event-queries.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { explain } from '../../lib/http/http.ts';
import { useSession } from '../../lib/session/session.ts';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { texts } from './texts.en.ts';

interface OwnEventsProps {
  /** Height classes of the skeletons: the first for the figures, the others for the events. */
  skeletons: readonly string[];
  /** Shown to an account without events. */
  empty: ReactNode;
  children: (events: Event[]) => ReactNode;
}

/** Renders the account's events, or a loading, empty or error state. */
export function OwnEvents({ skeletons, empty, children }: OwnEventsProps) {
  const t = useTexts(texts);
  const { user } = useSession();
  const mine = useQuery({ ...ownEventsQuery(user?.id ?? 0), enabled: user !== null });
  if (mine.isPending)
    return (
      <Loading label={t('loading')} className="grid gap-4">
        {skeletons.map((height, index) => (
          <Skeleton key={index} className={height} />
        ))}
      </Loading>
    );
  if (mine.isLoadingError)
    return (
      <ErrorState
        title={t('notLoaded')}
        message={explain(mine.error)}
        onRetry={() => void mine.refetch()}
        retrying={mine.isFetching}
      />
    );
  return mine.data.length === 0 ? empty : children(mine.data);
}

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
  /** Heights of what is to come, as classes: the first that of the figures, the others those of events. */
  skeletons: readonly string[];
  /** Shown to who has launched nothing yet. */
  empty: ReactNode;
  children: (events: Event[]) => ReactNode;
}

/** The user's own events; while loading, without any and after a fault, what is shown in their place. */
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

import { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { explain } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { LaunchDialog } from './launch-dialog.tsx';
import { texts } from './texts.en.ts';

interface DuplicateDialogProps extends Pick<ComponentProps<typeof LaunchDialog>, 'preview'> {
  eventId: number;
  onClose: () => void;
}

/** The launch form, prefilled from one of the account's events. */
export function DuplicateDialog({ eventId, onClose, ...shown }: DuplicateDialogProps) {
  const t = useTexts(texts);
  const original = useQuery(apiQuery(Event, '/api/events', eventId, 'managed'));
  if (original.data) return <LaunchDialog key={eventId} template={original.data} open onClose={onClose} {...shown} />;
  return (
    <Dialog onClose={onClose} title={t('duplicate')} size="wide">
      {original.isError ? (
        <ErrorState
          title={t('notLoaded')}
          message={explain(original.error)}
          onRetry={() => void original.refetch()}
          retrying={original.isFetching}
        />
      ) : (
        <Loading label={t('loading')} className="grid gap-4">
          <Skeleton className="h-16 rounded-md" />
          <Skeleton className="h-40 rounded-md" />
        </Loading>
      )}
    </Dialog>
  );
}

import { useMutation, useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Meta } from '../../ui/meta.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { mutesQuery, unmute } from './api.ts';
import { texts } from './texts.en.ts';

/** The people muted in this room, and when each mute ends. */
export function MutedDialog({ room, onClose }: { room: string; onClose: () => void }) {
  const t = useTexts(texts);
  const found = useQuery(mutesQuery(room));
  const unmuting = useMutation({
    mutationFn: (id: string) => unmute(room, id),
    onSettled: () => found.refetch(),
  });
  return (
    <Dialog onClose={onClose} title={t('mutedPeople')}>
      {found.data ? (
        found.data.length === 0 ? (
          <p className="text-ink-soft">{t('nobodyMuted')}</p>
        ) : (
          <ul className="grid divide-y divide-line">
            {found.data.map(({ id, userName, isGuest, until }) => (
              <li key={id} className="flex items-center justify-between gap-3 py-2">
                <p className="min-w-0">
                  <bdi className="font-strong wrap-anywhere">{userName}</bdi>
                  {isGuest && <Meta as="span"> {t('guest')}</Meta>}
                  <br />
                  <Meta as="span" className="tabular">
                    {until ? t('until', { when: formatMoment(until) }) : t('forGood')}
                  </Meta>
                </p>
                <Button
                  variant="secondary"
                  aria-label={t('unmuteWho', { name: userName })}
                  pending={unmuting.isPending && unmuting.variables === id}
                  onClick={() => unmuting.mutate(id)}
                >
                  {t('unmute')}
                </Button>
              </li>
            ))}
          </ul>
        )
      ) : found.isError ? (
        <ErrorState
          title={t('listNotLoaded')}
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Loading label={t('mutedLoading')} className="grid gap-2">
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
        </Loading>
      )}
      <Failure of={unmuting.error} className="mt-2" />
    </Dialog>
  );
}

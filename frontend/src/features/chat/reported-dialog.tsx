import type { ReportedMessage } from '@beltway/contracts/realtime/chat';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { texts as reportTexts } from '../../lib/report/texts.en.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Meta } from '../../ui/meta.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { removeMessage, reportedQuery, settleReports } from './api.ts';
import { texts } from './texts.en.ts';

/** The reported messages of the rooms that this account moderates, with actions. */
export function ReportedDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const sayReason = useTexts(reportTexts);
  const found = useInfiniteQuery(reportedQuery());
  const settling = useMutation({
    mutationFn: ({ of: { room, message }, remove }: { of: ReportedMessage; remove: boolean }) =>
      remove ? removeMessage(room, message.seq) : settleReports(room, message.seq),
    onSettled: () => found.refetch(),
  });
  const items = found.data?.pages.flatMap((page) => page.items);
  return (
    <Dialog onClose={onClose} title={t('reportedMessages')} description={t('allYourChats')}>
      {items ? (
        items.length === 0 ? (
          <p className="text-ink-soft">{t('noneReported')}</p>
        ) : (
          <ul className="grid gap-5">
            {items.map((item) => (
              <li key={`${item.room} ${item.message.seq}`}>
                <article aria-label={t('messageBy', { name: item.message.userName })} className="grid gap-2">
                  <Meta>
                    {t.rich('writtenIn', {
                      who: () => <bdi className="font-strong text-ink">{item.message.userName}</bdi>,
                      room: () => <bdi>{item.roomName}</bdi>,
                      when: () => <span className="tabular">{formatMoment(item.message.createdAt)}</span>,
                    })}
                  </Meta>
                  <p dir="auto" className="whitespace-pre-wrap wrap-anywhere [unicode-bidi:plaintext]">
                    {item.message.message}
                  </p>
                  <ul className="grid gap-1 text-note text-ink-soft">
                    {item.reports.map(({ reason, note, at }) => (
                      <li key={at}>
                        {note
                          ? t.rich('reasonAndNote', {
                              reason: sayReason(reason),
                              note: () => <bdi className="wrap-anywhere">{note}</bdi>,
                            })
                          : sayReason(reason)}
                      </li>
                    ))}
                  </ul>
                  <p className="flex flex-wrap gap-2">
                    <Button
                      variant="danger"
                      disabled={settling.isPending}
                      onClick={() => settling.mutate({ of: item, remove: true })}
                    >
                      {t('remove')}
                    </Button>
                    <Button
                      variant="secondary"
                      disabled={settling.isPending}
                      onClick={() => settling.mutate({ of: item, remove: false })}
                    >
                      {t('keep')}
                    </Button>
                  </p>
                </article>
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
        <Loading label={t('reportedLoading')} className="grid gap-2">
          <Skeleton className="h-20" />
          <Skeleton className="h-20" />
        </Loading>
      )}
      {found.hasNextPage && (
        <Button
          variant="secondary"
          className="mt-4"
          pending={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          {t('showMore')}
        </Button>
      )}
      <Failure of={settling.error} className="mt-2" />
    </Dialog>
  );
}

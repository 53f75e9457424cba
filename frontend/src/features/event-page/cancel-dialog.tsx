import { Event, EventCancellation } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { isEnded } from '../../lib/events/event-facts.ts';
import { formatCents } from '../../lib/i18n/format.ts';
import { get, HttpError, post } from '../../lib/http/http.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { texts } from './owner.texts.en.ts';
import { useSaved } from './use-saved.ts';

/** True if the refund figures have changed, or were not shown because the event ended while the dialog was open. */
const wantsFigures = (error: Error | null) => error instanceof HttpError && error.problem?.code === 'confirm-refunds';

/** Cancels the event and refunds all buyers; for an event that is over, an admin first sees the amount. */
export function CancelDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const t = useTexts(texts);
  const saved = useSaved(onClose);
  const sold = event.soldTickets;
  const now = useEventClock(event);
  const isOver = event.status === 'published' && isEnded(event, now);
  const cancel = useAction({
    mutationFn: (confirm: Pick<EventCancellation, 'orders' | 'refundCents'> | undefined) =>
      post(`/api/events/${event.id}/cancel`, confirm && { confirm }, Event),
    onSuccess: saved,
    onError: (error) => wantsFigures(error) && void figures.refetch(),
  });
  const isConfirmed = isOver || wantsFigures(cancel.error);
  const figures = useQuery({
    queryKey: ['/api/events', event.id, 'cancellation'],
    queryFn: async ({ signal }) => get(`/api/events/${event.id}/cancellation`, EventCancellation, { signal }),
    enabled: isConfirmed,
    staleTime: 0,
    gcTime: 0,
  });
  const { orders = 0, refundCents = 0 } = figures.data ?? {};
  const amount = formatCents(refundCents);
  const problem = isConfirmed && figures.isError ? figures.error : wantsFigures(cancel.error) ? null : cancel.error;
  return (
    <ConfirmDialog
      title={t('cancelThis')}
      action={isConfirmed ? t('cancelAndRefundSum', { amount }) : sold > 0 ? t('cancelAndRefund') : t('cancelIt')}
      acting={t('canceling')}
      disabled={isConfirmed && !figures.data}
      keep={t('keepEvent')}
      mutation={{ ...cancel, mutate: () => cancel.mutate(isConfirmed ? { orders, refundCents } : undefined) }}
      failure={problem}
      onClose={onClose}
    >
      <p>
        {sold > 0 ? t('cancelSold', { title: event.title, count: sold }) : t('cancelUnsold', { title: event.title })}
      </p>
      {isConfirmed && (
        <p role="status" className="font-strong">
          {figures.data ? t('cancelOver', { count: orders, amount }) : t('cancelSum')}
        </p>
      )}
    </ConfirmDialog>
  );
}

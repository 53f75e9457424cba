import { Event } from '@beltway/contracts/catalog/events';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { post } from '../../lib/http/http.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { texts } from './owner.texts.en.ts';
import { useSaved } from './use-saved.ts';

/** Postpones the event, without a new date yet. */
export function PostponeDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const t = useTexts(texts);
  const saved = useSaved(onClose);
  const sold = event.soldTickets;
  const postpone = useAction({
    mutationFn: () => post(`/api/events/${event.id}/postpone`, undefined, Event),
    onSuccess: saved,
  });
  return (
    <ConfirmDialog
      title={t('postponeThis')}
      action={t('postponeIt')}
      acting={t('postponing')}
      variant="primary"
      keep={t('keepDate')}
      mutation={postpone}
      onClose={onClose}
    >
      <p>
        {[
          t('postponeShown', { title: event.title }),
          event.hasTickets && t('postponeTickets'),
          sold > 0 && t('postponeSold', { count: sold }),
          t('postponeEdit'),
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
    </ConfirmDialog>
  );
}

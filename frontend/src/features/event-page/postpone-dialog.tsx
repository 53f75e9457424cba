import { Event } from '@beltway/contracts/catalog/events';
import { useMutation } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalogue.ts';
import { eventPath } from '../../lib/events/event-facts.ts';
import { explain, post } from '../../lib/http/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { texts } from './owner.texts.ts';
import { useSaved } from './use-saved.ts';

/** Takes the event off its date, without another one yet. */
export function PostponeDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const t = useTexts(texts);
  const saved = useSaved(onClose);
  const sold = event.soldTickets;
  const postpone = useMutation({
    mutationFn: () => post(`/api/events/${event.id}/postpone`, undefined, Event),
    onSuccess: async () => {
      toast({
        title: t('eventPostponed'),
        description: t('giveNewDate'),
        at: eventPath(event),
      });
      await saved();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('postponeThis')}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('keepDate')}
          </Button>
          <Button pending={postpone.isPending} onClick={() => postpone.mutate()}>
            {postpone.isPending ? t('postponing') : t('postponeIt')}
          </Button>
        </>
      }
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
      {postpone.isError && (
        <p role="alert" className="mt-3 text-danger-ink">
          {explain(postpone.error)}
        </p>
      )}
    </Dialog>
  );
}

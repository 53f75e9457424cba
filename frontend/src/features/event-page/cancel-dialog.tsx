import { Event } from '@beltway/contracts/catalog';
import { useMutation } from '@tanstack/react-query';
import { useTexts } from '../../lib/catalogue.ts';
import { eventPath } from '../../lib/event-facts.ts';
import { explain, post } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { texts } from './owner.texts.ts';
import { useSaved } from './use-saved.ts';

/** Calls the event off and gives every buyer their money back. */
export function CancelDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const t = useTexts(texts);
  const saved = useSaved(onClose);
  const sold = event.soldTickets;
  const cancel = useMutation({
    mutationFn: () => post(`/api/events/${event.id}/cancel`, undefined, Event),
    onSuccess: async () => {
      toast({
        title: t('eventCancelled'),
        at: eventPath(event),
        ...(sold > 0 && { description: t('everyBuyer') }),
      });
      await saved();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('cancelThis')}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('keepEvent')}
          </Button>
          <Button variant="danger" pending={cancel.isPending} onClick={() => cancel.mutate()}>
            {cancel.isPending ? t('cancelling') : sold > 0 ? t('cancelAndRefund') : t('cancelIt')}
          </Button>
        </>
      }
    >
      <p>
        {sold > 0 ? t('cancelSold', { title: event.title, count: sold }) : t('cancelUnsold', { title: event.title })}
      </p>
      {cancel.isError && (
        <p role="alert" className="mt-3 text-danger-ink">
          {explain(cancel.error)}
        </p>
      )}
    </Dialog>
  );
}

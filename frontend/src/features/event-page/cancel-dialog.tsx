import { Event } from '@beltway/contracts/catalog';
import { useMutation } from '@tanstack/react-query';
import { eventPath } from '../../lib/event-facts.ts';
import { explain, post } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { useSaved } from './use-saved.ts';

/** Calls the event off and gives every buyer their money back. */
export function CancelDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const saved = useSaved(onClose);
  const sold = event.soldTickets;
  const cancel = useMutation({
    mutationFn: () => post(`/api/events/${event.id}/cancel`, undefined, Event),
    onSuccess: async () => {
      toast({
        title: 'Event cancelled',
        at: eventPath(event),
        ...(sold > 0 && { description: 'Every buyer gets the whole price back.' }),
      });
      await saved();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Cancel this event?"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Keep the event
          </Button>
          <Button variant="danger" pending={cancel.isPending} onClick={() => cancel.mutate()}>
            {cancel.isPending ? 'Cancelling…' : sold > 0 ? 'Cancel it and refund everybody' : 'Cancel the event'}
          </Button>
        </>
      }
    >
      <p>
        {event.title} will be shown as cancelled.{' '}
        {sold > 0
          ? `${sold} ${sold === 1 ? 'ticket is' : 'tickets are'} sold: every buyer is refunded the whole price and told by email.`
          : 'No ticket was sold yet.'}{' '}
        This cannot be undone.
      </p>
      {cancel.isError && (
        <p role="alert" className="mt-3 text-danger-ink">
          {explain(cancel.error)}
        </p>
      )}
    </Dialog>
  );
}

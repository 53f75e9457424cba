import { Event } from '@beltway/contracts/catalog';
import { useMutation } from '@tanstack/react-query';
import { eventPath } from '../../lib/event-facts.ts';
import { explain, post } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { useSaved } from './use-saved.ts';

/** Takes the event off its date, without another one yet. */
export function PostponeDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const saved = useSaved(onClose);
  const sold = event.soldTickets;
  const postpone = useMutation({
    mutationFn: () => post(`/api/events/${event.id}/postpone`, undefined, Event),
    onSuccess: async () => {
      toast({
        title: 'Event postponed',
        description: 'Give it a new date as soon as there is one.',
        at: eventPath(event),
      });
      await saved();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Postpone this event?"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Keep its date
          </Button>
          <Button pending={postpone.isPending} onClick={() => postpone.mutate()}>
            {postpone.isPending ? 'Postponing…' : 'Postpone the event'}
          </Button>
        </>
      }
    >
      <p>
        {event.title} will be shown as postponed, without a date.
        {event.hasTickets && ' No tickets are sold until it has a new one.'}{' '}
        {sold > 0 &&
          `${sold} ${sold === 1 ? 'ticket is' : 'tickets are'} sold: they stay valid, and their buyers are told by email. `}
        If you know the new date already, change it with ‘Edit’ instead.
      </p>
      {postpone.isError && (
        <p role="alert" className="mt-3 text-danger-ink">
          {explain(postpone.error)}
        </p>
      )}
    </Dialog>
  );
}

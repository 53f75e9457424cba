import type { Event } from '@beltway/contracts/catalog';
import { Suspense } from 'react';
import { Button } from '../../ui/button.tsx';
import { useDialogEntry } from '../../lib/dialog-entry.ts';
import { lazily } from '../../lib/lazily.ts';

// Loaded when opened: few readers of the page own the event.
const EditDialog = lazily(async () => (await import('./edit-dialog.tsx')).EditDialog);
const CancelDialog = lazily(async () => (await import('./cancel-dialog.tsx')).CancelDialog);

/** For the event's owner: change it, or cancel it and refund everybody. */
export function OwnerTools({ event }: { event: Event }) {
  const [isEditing, setEditing] = useDialogEntry('edit');
  const [isCancelling, setCancelling] = useDialogEntry('cancel');
  if (event.status === 'cancelled') return null;
  return (
    <section
      aria-label="Your event"
      className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-lg bg-sunken py-3 pl-5 pr-3"
    >
      <p className="text-note text-ink-soft">This is your event.</p>
      <div className="flex gap-1">
        <Button variant="secondary" onClick={() => setEditing(true)}>
          Edit
        </Button>
        <Button variant="quiet" className="px-3" onClick={() => setCancelling(true)}>
          Cancel event
        </Button>
      </div>
      <Suspense>
        {isEditing && <EditDialog event={event} onClose={() => setEditing(false)} />}
        {isCancelling && <CancelDialog event={event} onClose={() => setCancelling(false)} />}
      </Suspense>
    </section>
  );
}

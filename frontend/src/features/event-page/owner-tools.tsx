import type { Event } from '@beltway/contracts/catalog';
import { Suspense, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { lazily } from '../../lib/lazily.ts';

// Of use to one reader of the page in a thousand.
const EditDialog = lazily(async () => (await import('./edit-dialog.tsx')).EditDialog);
const CancelDialog = lazily(async () => (await import('./cancel-dialog.tsx')).CancelDialog);

/** For the event's owner: change it, or cancel it and refund everybody. */
export function OwnerTools({ event }: { event: Event }) {
  const [open, setOpen] = useState<'edit' | 'cancel' | null>(null);
  const close = () => setOpen(null);
  if (event.status === 'cancelled') return null;
  return (
    <section
      aria-label="Your event"
      className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-lg bg-sunken py-3 pl-5 pr-3"
    >
      <p className="text-note text-ink-soft">This is your event.</p>
      <div className="flex gap-1">
        <Button variant="secondary" onClick={() => setOpen('edit')}>
          Edit
        </Button>
        <Button variant="quiet" className="px-3" onClick={() => setOpen('cancel')}>
          Cancel event
        </Button>
      </div>
      <Suspense>
        {open === 'edit' && <EditDialog event={event} onClose={close} />}
        {open === 'cancel' && <CancelDialog event={event} onClose={close} />}
      </Suspense>
    </section>
  );
}

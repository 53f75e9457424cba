import { Event, type UpdateEventBody } from '@beltway/contracts/catalog';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { explain, HttpError, patch, post } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Input, Textarea } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.ts';

type Changes = {
  title: string;
  description: string;
  location: string;
  eventStartTime: string;
  eventEndTime: string;
  ticketPrice: string;
  totalTickets: string;
};

const changesOf = (event: Event): Changes => ({
  title: event.title,
  description: event.description,
  location: event.location,
  eventStartTime: event.eventStartTime,
  eventEndTime: event.eventEndTime ?? '',
  ticketPrice: event.ticketPrice ?? '',
  totalTickets: String(event.totalTickets ?? ''),
});

/** For the event's owner: change it, or cancel it and refund everybody. */
export function OwnerTools({ event }: { event: Event }) {
  const [open, setOpen] = useState<'edit' | 'cancel' | null>(null);
  if (event.status === 'cancelled') return null;
  return (
    <section
      aria-label="Your event"
      className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-sunken px-5 py-3"
    >
      <p className="text-note text-ink-soft">This is your event.</p>
      <div className="flex gap-2">
        <Button variant="secondary" onClick={() => setOpen('edit')}>
          Edit
        </Button>
        <Button variant="quiet" onClick={() => setOpen('cancel')}>
          Cancel event
        </Button>
      </div>
      {open === 'edit' && <EditDialog event={event} onClose={() => setOpen(null)} />}
      {open === 'cancel' && <CancelDialog event={event} onClose={() => setOpen(null)} />}
    </section>
  );
}

function useSaved(onClose: () => void) {
  const queries = useQueryClient();
  return async () => {
    onClose();
    await queries.invalidateQueries({ queryKey: ['/api/events'] });
    await queries.invalidateQueries({ queryKey: ['/api/users'] });
  };
}

function EditDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const [form, setForm] = useState(() => changesOf(event));
  const saved = useSaved(onClose);
  const save = useMutation({
    mutationFn: () => {
      const before = changesOf(event);
      const changed = Object.fromEntries(
        Object.entries(form).filter(([name, value]) => value !== before[name as keyof Changes]),
      );
      return patch(`/api/events/${event.id}`, changed as Partial<Record<keyof UpdateEventBody, string>>, Event);
    },
    onSuccess: async () => {
      toast({ title: 'Event changed' });
      await saved();
    },
  });
  const errorOf = (field: keyof Changes) =>
    save.error instanceof HttpError
      ? save.error.problem?.errors?.find((error) => error.field === field)?.message
      : undefined;
  const field = (name: keyof Changes, label: string, input: React.ComponentProps<'input'> = {}) => (
    <Field label={label} error={errorOf(name)}>
      <Input {...input} value={form[name]} onChange={(typed) => setForm({ ...form, [name]: typed.target.value })} />
    </Field>
  );
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Edit event"
      size="wide"
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Keep as it was
          </Button>
          <Button pending={save.isPending} onClick={() => save.mutate()}>
            Save
          </Button>
        </>
      }
    >
      <div className="grid gap-5 pt-1">
        {field('title', 'Event title', { maxLength: 200 })}
        <Field label="Event description" error={errorOf('description')}>
          <Textarea
            rows={6}
            maxLength={5000}
            value={form.description}
            onChange={(typed) => setForm({ ...form, description: typed.target.value })}
          />
        </Field>
        {field('location', 'Event location', { maxLength: 200 })}
        <div className="grid grid-cols-2 gap-4">
          {field('eventStartTime', 'Start time', { type: 'time' })}
          {field('eventEndTime', 'End time', { type: 'time' })}
        </div>
        {event.hasTickets && (
          <div className="grid grid-cols-2 gap-4">
            {field('ticketPrice', 'Ticket price in $', {
              type: 'number',
              step: '0.01',
              min: '0',
              inputMode: 'decimal',
            })}
            {field('totalTickets', 'Total tickets', { type: 'number', step: '1', min: '1', inputMode: 'numeric' })}
          </div>
        )}
        {save.isError && (
          <p role="alert" className="text-danger-ink">
            {explain(save.error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function CancelDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const saved = useSaved(onClose);
  const cancel = useMutation({
    mutationFn: () => post(`/api/events/${event.id}/cancel`, undefined, Event),
    onSuccess: async () => {
      toast({ title: 'Event cancelled', description: 'Every buyer gets the whole price back.' });
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
            Cancel it and refund everybody
          </Button>
        </>
      }
    >
      <p>
        {event.title} will be shown as cancelled.{' '}
        {event.soldTickets > 0
          ? `${event.soldTickets} ${event.soldTickets === 1 ? 'ticket is' : 'tickets are'} sold: every buyer is refunded the whole price and told by email.`
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

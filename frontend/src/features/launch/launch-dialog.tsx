import { Event } from '@beltway/contracts/catalog';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { HttpError, post } from '../../lib/http.ts';
import { useSession } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Input, Switch, Textarea } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.ts';
import { DateField } from './date-field.tsx';
import { ImageField } from './image-field.tsx';
import { bodyOf, emptyForm, refusalOf, serverErrors, type LaunchErrors, type LaunchForm } from './launch-form.ts';
import { LocationField } from './location-field.tsx';
import { TagsField } from './tags-field.tsx';

interface LaunchDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

// On a phone the focus would push the keyboard up before anything was read.
const HAS_KEYBOARD = window.matchMedia('(pointer: fine)').matches;

/** "Failed to create event (status): body text" (specification 1, section 8). */
const failureText = (error: unknown): string =>
  error instanceof HttpError
    ? `Failed to create event (${error.status}): ${error.problem?.detail ?? error.message.replace(/^\d+: /, '')}`
    : error instanceof Error
      ? error.message
      : 'Please try again.';

/** Launches an event. Closing keeps what was typed; success clears it. Nothing is shown to who is not signed in. */
export function LaunchDialog({ open, onOpenChange }: LaunchDialogProps) {
  const { user } = useSession();
  const queries = useQueryClient();
  const formId = useId();
  const [form, setForm] = useState<LaunchForm>(() => emptyForm(user?.email));
  const [errors, setErrors] = useState<LaunchErrors>({});
  // One key for one wish: a retry after a lost answer makes no second event.
  const key = useRef(crypto.randomUUID());
  const body = useRef<HTMLFormElement>(null);

  const launch = useMutation({
    mutationFn: (wish: LaunchForm) => {
      if (!user) throw new Error('Please log in to create an event');
      return post('/api/events', bodyOf(wish), Event, { headers: { 'idempotency-key': key.current } });
    },
    onSuccess: async (event) => {
      toast({ title: 'Event Created!', description: `${event.title} is live.` });
      key.current = crypto.randomUUID();
      setForm(emptyForm(user?.email));
      setErrors({});
      onOpenChange(false);
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['/api/events'] }),
        queries.invalidateQueries({ queryKey: ['/api/users'] }),
      ]);
    },
    onError: (error) => {
      if (error instanceof HttpError && error.status < 500) key.current = crypto.randomUUID();
      if (error instanceof HttpError) showErrors(serverErrors(error.problem?.errors));
      toast({ title: 'Failed to create event', description: failureText(error), variant: 'destructive' });
    },
  });

  if (!user) return null;

  function showErrors(found: LaunchErrors) {
    setErrors(found);
    // The first field that is wrong comes into sight, once it is marked.
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  }

  const change = (changed: Partial<LaunchForm>) => {
    setForm((before) => ({ ...before, ...changed }));
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in changed))));
  };

  const submit = () => {
    const refusal = refusalOf(form);
    if (refusal) {
      toast({ ...refusal.toast, variant: 'destructive' });
      return showErrors(refusal.errors);
    }
    launch.mutate(form);
  };

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add New Event"
      description="It is live as soon as you launch it. You can change it later."
      size="wide"
      footer={
        <>
          <Button variant="quiet" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button type="submit" form={formId} pending={launch.isPending}>
            {launch.isPending ? 'Creating...' : 'Launch Event'}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        ref={body}
        noValidate
        className="grid gap-6 pt-1"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          submit();
        }}
      >
        <Field label="Event title" error={errors.title}>
          <Input
            value={form.title}
            maxLength={200}
            autoComplete="off"
            autoFocus={HAS_KEYBOARD}
            onChange={(typed) => change({ title: typed.target.value })}
          />
        </Field>
        <Field label="Event description" error={errors.description}>
          <Textarea
            value={form.description}
            maxLength={5000}
            onChange={(typed) => change({ description: typed.target.value })}
          />
        </Field>
        <ImageField value={form.imageUrl} error={errors.imageUrl} onChange={(imageUrl) => change({ imageUrl })} />
        <div className="grid gap-6 sm:grid-cols-2">
          <DateField value={form.day} error={errors.day} onChange={(day) => change({ day })} />
          <div className="grid grid-cols-2 content-start gap-4">
            <Field label="Start time" error={errors.startTime}>
              <Input
                type="time"
                value={form.startTime}
                onChange={(typed) => change({ startTime: typed.target.value })}
              />
            </Field>
            <Field label="End time" optional error={errors.endTime}>
              <Input type="time" value={form.endTime} onChange={(typed) => change({ endTime: typed.target.value })} />
            </Field>
          </div>
        </div>
        <LocationField mode={form.locationMode} value={form.location} error={errors.location} onChange={change} />
        <TagsField tags={form.tags} error={errors.tags} onChange={(tags) => change({ tags })} />
        <div className="grid gap-4 rounded-md bg-sunken p-4">
          <Switch
            label="Sell tickets"
            hint="Buyers pay this price and nothing on top. You get 95 %."
            checked={form.hasTickets}
            onCheckedChange={(hasTickets) => change({ hasTickets })}
          />
          {form.hasTickets && (
            <div className="grid gap-4 sm:grid-cols-2">
              <Field label="Ticket price in $" error={errors.ticketPrice}>
                <Input
                  type="number"
                  inputMode="decimal"
                  step="0.01"
                  min="0"
                  value={form.ticketPrice}
                  onChange={(typed) => change({ ticketPrice: typed.target.value })}
                />
              </Field>
              <Field label="Total tickets" error={errors.totalTickets}>
                <Input
                  type="number"
                  inputMode="numeric"
                  step="1"
                  min="1"
                  value={form.totalTickets}
                  onChange={(typed) => change({ totalTickets: typed.target.value })}
                />
              </Field>
            </div>
          )}
        </div>
        <Field
          label="Contact email"
          error={errors.contactEmail}
          hint="For confirming the event; visitors do not see it."
        >
          <Input
            type="email"
            autoComplete="email"
            value={form.contactEmail}
            onChange={(typed) => change({ contactEmail: typed.target.value })}
          />
        </Field>
      </form>
    </Dialog>
  );
}

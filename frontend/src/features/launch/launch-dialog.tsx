import { Event } from '@beltway/contracts/catalog';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { z } from 'zod';
import { eventPath } from '../../lib/event-facts.ts';
import { DateField } from '../../lib/event-form/date-field.tsx';
import { eventDraft } from '../../lib/event-form/draft.ts';
import { DraftNote, LOST_PHOTO } from '../../lib/event-form/draft-note.tsx';
import { ImageField } from '../../lib/event-form/image-field.tsx';
import { LocationField } from '../../lib/event-form/location-field.tsx';
import { TagsField } from '../../lib/event-form/tags-field.tsx';
import { eventQuery } from '../../lib/event-queries.ts';
import { explain, HttpError, post } from '../../lib/http.ts';
import { useSession } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, focusFirstError, Input, Switch, Textarea } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.ts';
import { bodyOf, emptyForm, LaunchForm, refusalOf, serverErrors, type LaunchErrors } from './launch-form.ts';

/** `key` names the wish: launched again after a reload, it makes no second event. */
const launchDraft = eventDraft('launch', z.object({ form: LaunchForm, key: z.string() }));

interface LaunchDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

// On a phone the focus would push the keyboard up before anything was read.
const HAS_KEYBOARD = window.matchMedia('(pointer: fine)').matches;

/** A proxy's error page is long; what it says stands at its beginning. */
const MOST_TEXT = 300;

/** "Failed to create event (status): body text" (docs/product.md#launching-an-event); of a problem, its words. */
function failureText(error: unknown): string {
  if (!(error instanceof HttpError)) return explain(error);
  const { status, problem, message } = error;
  const text = problem ? (problem.detail ?? problem.title) : message.replace(/^\d+: /, '');
  return `Failed to create event (${status}): ${text.slice(0, MOST_TEXT)}`;
}

/**
 * Launches an event, and leads to its page. Closing, Back, a reload and signing in again keep what was typed; success clears it.
 * Nothing is shown to who is not signed in.
 */
export function LaunchDialog({ open, onOpenChange }: LaunchDialogProps) {
  const { user } = useSession();
  const queries = useQueryClient();
  const formId = useId();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => (user ? launchDraft.read(user.id) : null));
  const [form, setForm] = useState<LaunchForm>(() => draft?.form ?? emptyForm(user?.email));
  const [errors, setErrors] = useState<LaunchErrors>({});
  // One key for one wish: a retry after a lost answer makes no second event.
  const key = useRef(draft?.key ?? crypto.randomUUID());
  const body = useRef<HTMLFormElement>(null);
  const isOpen = useRef(open);
  useEffect(() => {
    isOpen.current = open;
  }, [open]);

  const userId = user?.id;
  const isEmpty = form.imageUrl === '' && JSON.stringify(form) === JSON.stringify(emptyForm(user?.email));
  useEffect(() => {
    if (userId === undefined) return;
    if (isEmpty) launchDraft.drop();
    else launchDraft.write(userId, { form, key: key.current });
  }, [userId, form, isEmpty]);
  const { imageUrl } = form;
  useEffect(() => {
    if (userId !== undefined) launchDraft.writePhoto(userId, imageUrl);
  }, [userId, imageUrl]);
  const startOver = () => {
    key.current = crypto.randomUUID();
    setDraft(null);
    setForm(emptyForm(user?.email));
    setErrors({});
  };

  const launch = useMutation({
    mutationFn: (wish: LaunchForm) => {
      if (!user) throw new Error('Please log in to create an event');
      return post('/api/events', bodyOf(wish), Event, { headers: { 'idempotency-key': key.current } });
    },
    onSuccess: async (event) => {
      startOver();
      queries.setQueryData(eventQuery(event.id).queryKey, event);
      // Whoever has closed the dialog meanwhile stays where they are.
      const at = isOpen.current ? eventPath(event) : undefined;
      toast({ title: 'Event Created!', description: `${event.title} is live.`, ...(at && { at }) });
      if (at) void navigate(at, { replace: window.location.hash === '#launch', state: { isLaunched: true } });
      onOpenChange(false);
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['/api/events'] }),
        queries.invalidateQueries({ queryKey: ['/api/users'] }),
      ]);
    },
    onError: (error) => {
      if (error instanceof HttpError && error.status < 500) {
        key.current = crypto.randomUUID();
        if (userId !== undefined) launchDraft.write(userId, { form, key: key.current });
      }
      if (error instanceof HttpError) showErrors(serverErrors(error.problem?.errors));
      toast({ title: 'Failed to create event', description: failureText(error), variant: 'destructive' });
    },
  });

  if (!user) return null;

  function showErrors(found: LaunchErrors) {
    setErrors(found);
    focusFirstError(body.current);
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
        className="grid grid-cols-[minmax(0,1fr)] gap-6 pt-1"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          submit();
        }}
      >
        {draft && <DraftNote onStartOver={startOver} />}
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
        <ImageField
          value={imageUrl}
          error={errors.imageUrl}
          note={draft?.lostPhoto && imageUrl === '' ? LOST_PHOTO : undefined}
          onChange={(picture) => change({ imageUrl: picture })}
        />
        <div className="grid gap-6 sm:grid-cols-2">
          <DateField value={form.day} error={errors.day} onChange={(day) => change({ day })} />
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] content-start gap-4">
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
            hint="Buyers pay this price and nothing on top. You get 95%."
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

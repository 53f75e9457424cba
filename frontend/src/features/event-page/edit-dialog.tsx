import { Event } from '@beltway/contracts/catalog';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type ComponentProps } from 'react';
import { z } from 'zod';
import { eventPath } from '../../lib/event-facts.ts';
import { DateField } from '../../lib/event-form/date-field.tsx';
import { eventDraft } from '../../lib/event-form/draft.ts';
import { DraftNote, LOST_PHOTO } from '../../lib/event-form/draft-note.tsx';
import { ImageField } from '../../lib/event-form/image-field.tsx';
import { LocationField, locationModeOf } from '../../lib/event-form/location-field.tsx';
import { TagsField } from '../../lib/event-form/tags-field.tsx';
import { explain, HttpError, patch } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, focusFirstError, Input, Textarea } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.ts';
import { useSession } from '../../lib/session.ts';
import { changesOf, EditForm, formOf } from './edit-form.ts';
import { useSaved } from './use-saved.ts';

/** `before`: the event as it was when editing began. */
const Draft = z.object({ before: EditForm, form: EditForm });

/**
 * Changes the event; buyers keep their tickets. Closing, Back, a reload and signing in again keep what was typed; 'Keep as it was' and
 * saving drop it.
 */
export function EditDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const formId = useId();
  const body = useRef<HTMLFormElement>(null);
  const userId = useSession().user?.id;
  const [drafts] = useState(() => eventDraft(`edit-${event.id}`, Draft));
  const [draft, setDraft] = useState(() => (userId === undefined ? null : drafts.read(userId)));
  // As it was when editing began: what somebody else changes meanwhile is no change of this form.
  const [before, setBefore] = useState(() => draft?.before ?? formOf(event));
  const [form, setForm] = useState(() => draft?.form ?? before);
  const [locationMode, setLocationMode] = useState(() => locationModeOf(form.location));
  const saved = useSaved(onClose);
  const changes = changesOf(before, form);
  const isSame = Object.keys(changes).length === 0;
  useEffect(() => {
    if (userId === undefined) return;
    if (isSame) drafts.drop();
    else drafts.write(userId, { before, form });
  }, [userId, drafts, before, form, isSame]);
  const { imageUrl } = form;
  useEffect(() => {
    if (userId !== undefined) drafts.writePhoto(userId, imageUrl);
  }, [userId, drafts, imageUrl]);
  const startOver = () => {
    const now = formOf(event);
    setDraft(null);
    setBefore(now);
    setForm(now);
    setLocationMode(locationModeOf(now.location));
  };
  const save = useMutation({
    mutationFn: () => patch(`/api/events/${event.id}`, changes, Event),
    onSuccess: async () => {
      drafts.drop();
      toast({ title: 'Event changed', description: 'Everybody sees it as it is now.', at: eventPath(event) });
      await saved();
    },
    onError: () => focusFirstError(body.current),
  });
  const errors = (save.error instanceof HttpError && save.error.problem?.errors) || [];
  const errorOf = (name: keyof EditForm) => errors.find(({ field }) => field.split('.')[0] === name)?.message;
  const change = (changed: Partial<EditForm>) => setForm((typed) => ({ ...typed, ...changed }));
  const field = (name: Exclude<keyof EditForm, 'tags'>, label: string, input: ComponentProps<'input'> = {}) => (
    <Field label={label} error={errorOf(name)}>
      <Input {...input} value={form[name]} onChange={(typed) => change({ [name]: typed.target.value })} />
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
          <Button
            variant="quiet"
            onClick={() => {
              drafts.drop();
              onClose();
            }}
          >
            Keep as it was
          </Button>
          <Button type="submit" form={formId} pending={save.isPending} disabled={isSame}>
            {save.isPending ? 'Saving…' : 'Save'}
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
          if (!isSame) save.mutate();
        }}
      >
        {draft && <DraftNote onStartOver={startOver} />}
        {field('title', 'Event title', { maxLength: 200 })}
        <Field label="Event description" error={errorOf('description')}>
          <Textarea
            rows={6}
            maxLength={5000}
            value={form.description}
            onChange={(typed) => change({ description: typed.target.value })}
          />
        </Field>
        <ImageField
          value={imageUrl}
          error={errorOf('imageUrl')}
          note={draft?.lostPhoto && imageUrl === '' ? LOST_PHOTO : undefined}
          onChange={(picture) => change({ imageUrl: picture })}
        />
        <div className="grid gap-6 sm:grid-cols-2">
          <DateField
            value={form.eventDate}
            error={errorOf('eventDate')}
            onChange={(eventDate) => change({ eventDate })}
          />
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] content-start gap-4">
            {field('eventStartTime', 'Start time', { type: 'time' })}
            {field('eventEndTime', 'End time', { type: 'time' })}
          </div>
        </div>
        <LocationField
          mode={locationMode}
          value={form.location}
          error={errorOf('location')}
          onChange={({ location, locationMode: mode }) => {
            change({ location });
            if (mode) setLocationMode(mode);
          }}
        />
        <TagsField tags={form.tags} error={errorOf('tags')} onChange={(tags) => change({ tags })} />
        {event.hasTickets && (
          <div className="grid gap-4 sm:grid-cols-2">
            {field('ticketPrice', 'Ticket price in $', {
              type: 'number',
              step: '0.01',
              min: '0',
              inputMode: 'decimal',
            })}
            {field('totalTickets', 'Total tickets', { type: 'number', step: '1', min: '1', inputMode: 'numeric' })}
          </div>
        )}
        {save.isError && errors.length === 0 && (
          <p role="alert" tabIndex={-1} className="text-danger-ink">
            {explain(save.error)}
          </p>
        )}
      </form>
    </Dialog>
  );
}

import { Event } from '@beltway/contracts/catalog/events';
import { useRef, useState } from 'react';
import { z } from 'zod';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { eventDraft, useKeptDraft } from '../../lib/event-form/draft.ts';
import { DraftNote } from '../../lib/event-form/draft-note.tsx';
import { EventFields, FreeEntryField, TicketFields } from '../../lib/event-form/event-fields.tsx';
import { EventForm, formOf } from '../../lib/event-form/event-form.ts';
import { useFields } from '../../lib/forms/form.ts';
import { explain, get, HttpError, patch } from '../../lib/http/http.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useSession } from '../../lib/session/session.ts';
import { useAction } from '../../lib/actions/use-action.ts';
import { ChangedMeanwhile } from './changed-meanwhile.tsx';
import { changesOf } from './edit-form.ts';
import { meanwhileOf, merged, type Meanwhile } from './meanwhile.ts';
import { texts } from './owner.texts.en.ts';
import { useSaved } from './use-saved.ts';

/** `before`: the event when editing began; `seen`: the event's version at that time. */
const Draft = z.object({ before: EventForm, form: EventForm, seen: z.int().optional() });

/** Thrown when the event has a newer version than the form. */
class Stale extends Error {
  readonly event: Event;
  constructor(event: Event) {
    super('This event was changed meanwhile. Please look at it again.');
    this.name = 'Stale';
    this.event = event;
  }
}

/**
 * Sends changes based on a version of the event. Sending the same changes again after a lost answer reuses the
 * idempotency key.
 */
function useSend(eventId: number) {
  const last = useRef({ text: '', key: '' });
  return (changes: ReturnType<typeof changesOf>, seen: number | undefined) => {
    const text = JSON.stringify([changes, seen]);
    if (last.current.text !== text) last.current = { text, key: crypto.randomUUID() };
    const headers = { 'idempotency-key': last.current.key, ...(seen !== undefined && { 'if-match': `"${seen}"` }) };
    return patch(`/api/events/${eventId}`, changes, Event, { headers });
  };
}

/**
 * Edits the event; buyers keep their tickets. The draft survives closing, Back, a reload and signing in again; 'Keep as
 * it was' and saving discard the draft. Changes by others are shown before they can be overwritten.
 */
export function EditDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const t = useTexts(texts);
  const userId = useSession().user?.id;
  const [drafts] = useState(() => eventDraft(`edit-${event.id}`, Draft));
  const [draft, setDraft] = useState(() => (userId === undefined ? null : drafts.read(userId)));
  // The event when editing began, so that later changes by others do not count as changes in this form.
  const [{ before, seen }, setBasis] = useState<{ before: EventForm; seen?: number | undefined }>(
    () => draft ?? { before: formOf(event), seen: event.version },
  );
  const [meanwhile, setMeanwhile] = useState<readonly Meanwhile[]>([]);
  const saved = useSaved(onClose);
  const send = useSend(event.id);
  const save = useAction({
    mutationFn: async (typed: EventForm) => {
      const changes = changesOf(before, typed);
      try {
        return await send(changes, seen);
      } catch (error) {
        if (!(error instanceof HttpError) || error.status !== 412) throw error;
        const now = await get(`/api/events/${event.id}/managed`, Event);
        // The newer version changes no field of this form, so there is nothing for the user to decide.
        if (meanwhileOf(before, typed, formOf(now)).length === 0) return await send(changes, now.version);
        throw new Stale(now);
      }
    },
    onSuccess: async () => {
      drafts.drop();
      await saved();
    },
    onError: (error, typed) => {
      if (!(error instanceof Stale)) return;
      const now = formOf(error.event);
      const found = meanwhileOf(before, typed, now);
      setMeanwhile(found);
      setBasis({ before: now, seen: error.event.version });
      form.change(merged(typed, found));
    },
  });
  const form = useFields({
    schema: EventForm,
    initial: draft?.form ?? before,
    onSubmit: (typed) => isSame || save.mutate(typed),
    error: save.error,
  });
  const isSame = Object.keys(changesOf(before, form.values)).length === 0;
  useKeptDraft(drafts, userId, { before, form: form.values, seen }, isSame);
  const startOver = () => {
    const now = formOf(event);
    setDraft(null);
    setMeanwhile([]);
    setBasis({ before: now, seen: event.version });
    form.reset(now);
  };
  const take = (field: keyof EventForm) => {
    form.change({ [field]: before[field] });
    setMeanwhile(meanwhile.map((one) => (one.field === field ? { ...one, isContested: false } : one)));
  };
  return (
    <FormDialog
      form={form}
      title={t('editEvent')}
      size="wide"
      action={t('save')}
      acting={t('saving')}
      pending={save.isPending}
      disabled={isSame}
      keep={t('keepAsWas')}
      onKeep={() => {
        drafts.drop();
        onClose();
      }}
      failure={null}
      onClose={onClose}
    >
      {draft && <DraftNote onStartOver={startOver} />}
      {meanwhile.length > 0 && <ChangedMeanwhile meanwhile={meanwhile} onTake={take} />}
      <EventFields key={draft ? 'draft' : 'new'} bind={form.bind} hasLostPhoto={Boolean(draft?.lostPhoto)} />
      {event.hasTickets ? <TicketFields bind={form.bind} /> : <FreeEntryField bind={form.bind} />}
      {form.failure && !(form.failure instanceof Stale) && (
        <p role="alert" tabIndex={-1} className="text-danger-ink">
          {explain(form.failure)}
        </p>
      )}
    </FormDialog>
  );
}

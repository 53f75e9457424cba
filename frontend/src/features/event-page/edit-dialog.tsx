import { Event } from '@beltway/contracts/catalog';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { z } from 'zod';
import { eventPath } from '../../lib/event-facts.ts';
import { eventDraft, useKeptDraft } from '../../lib/event-form/draft.ts';
import { DraftNote } from '../../lib/event-form/draft-note.tsx';
import { EventFields, TicketFields } from '../../lib/event-form/event-fields.tsx';
import { EventForm } from '../../lib/event-form/event-form.ts';
import { useFields } from '../../lib/form.ts';
import { explain, patch } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { useSession } from '../../lib/session.ts';
import { changesOf, formOf } from './edit-form.ts';
import { useSaved } from './use-saved.ts';

/** `before`: the event as it was when editing began. */
const Draft = z.object({ before: EventForm, form: EventForm });

/**
 * Changes the event; buyers keep their tickets. Closing, Back, a reload and signing in again keep what was typed; 'Keep as it was' and
 * saving drop it.
 */
export function EditDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const formId = useId();
  const userId = useSession().user?.id;
  const [drafts] = useState(() => eventDraft(`edit-${event.id}`, Draft));
  const [draft, setDraft] = useState(() => (userId === undefined ? null : drafts.read(userId)));
  // As it was when editing began: what somebody else changes meanwhile is no change of this form.
  const [before, setBefore] = useState(() => draft?.before ?? formOf(event));
  const saved = useSaved(onClose);
  const save = useMutation({
    mutationFn: (form: EventForm) => patch(`/api/events/${event.id}`, changesOf(before, form), Event),
    onSuccess: async () => {
      drafts.drop();
      toast({ title: 'Event changed', description: 'Everybody sees it as it is now.', at: eventPath(event) });
      await saved();
    },
  });
  const form = useFields({
    schema: EventForm,
    initial: draft?.form ?? before,
    onSubmit: (typed) => isSame || save.mutate(typed),
    error: save.error,
  });
  const isSame = Object.keys(changesOf(before, form.values)).length === 0;
  useKeptDraft(drafts, userId, { before, form: form.values }, isSame);
  const startOver = () => {
    const now = formOf(event);
    setDraft(null);
    setBefore(now);
    form.reset(now);
  };
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
      <form {...form.props} id={formId} className="grid grid-cols-[minmax(0,1fr)] gap-6 pt-1">
        {draft && <DraftNote onStartOver={startOver} />}
        <EventFields key={draft ? 'draft' : 'new'} bind={form.bind} hasLostPhoto={Boolean(draft?.lostPhoto)} />
        {event.hasTickets && <TicketFields bind={form.bind} />}
        {form.failure && (
          <p role="alert" tabIndex={-1} className="text-danger-ink">
            {explain(form.failure)}
          </p>
        )}
      </form>
    </Dialog>
  );
}

import { Event } from '@beltway/contracts/catalog/events';
import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useRef, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { z } from 'zod';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { eventPath } from '../../lib/events/event-facts.ts';
import { eventDraft, useKeptDraft } from '../../lib/event-form/draft.ts';
import { DraftNote } from '../../lib/event-form/draft-note.tsx';
import { EventFields, FreeEntryField, TicketFields } from '../../lib/event-form/event-fields.tsx';
import { eventQuery, organizingQuery } from '../../lib/events/event-queries.ts';
import { useFields } from '../../lib/forms/form.ts';
import { explain, HttpError, post } from '../../lib/http/http.ts';
import { sayProblem } from '../../lib/i18n/problems.ts';
import { useSession } from '../../lib/session/session.ts';
import { Switch, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { useAction } from '../../lib/actions/use-action.ts';
import { bodyOf, copyOf, emptyForm, LaunchForm, launchSchema, refusalToast } from './launch-form.ts';
import { previewOf } from './preview.ts';
import { RepeatField } from './repeat-field.tsx';
import { daysOfForm } from './repeat.ts';
import { texts } from './texts.en.ts';

/** `key` is the request's idempotency key: launching again after a reload creates no second event. */
const Draft = z.object({ form: LaunchForm, key: z.string() });

const schema = launchSchema();

interface LaunchDialogProps {
  /** The event to copy. */
  template?: Event;
  open: boolean;
  onClose: () => void;
  /** Renders a preview of the event beside the form. */
  preview?: (event: Event) => ReactNode;
}

// On a phone, focusing a field would open the keyboard before the user has read the form.
const HAS_KEYBOARD = window.matchMedia('(pointer: fine)').matches;

/** Maximum characters shown of a response that is not problem+json, such as a proxy's error page. */
const MOST_TEXT = 300;

/**
 * "Failed to create event (status): body text" (frontend/PRODUCT.md#fixed-texts), with the problem's text as the body.
 */
function failureText(error: unknown): string {
  if (!(error instanceof HttpError)) return explain(error);
  const { status, problem, message } = error;
  const text = problem ? sayProblem(problem) : message.replace(/^\d+: /, '');
  return textsNow(texts)('failedWith', { status: String(status), text: text.slice(0, MOST_TEXT) });
}

/**
 * Launches an event and opens the event's page. The draft survives closing the dialog, Back, a reload and signing in
 * again. A successful launch deletes the draft. Renders nothing without a session.
 */
export function LaunchDialog({ template, open, onClose, preview }: LaunchDialogProps) {
  const t = useTexts(texts);
  const { user } = useSession();
  // Each copy has its own draft, separate from other forms.
  const [launchDraft] = useState(() => eventDraft(template ? `duplicate-${template.id}` : 'launch', Draft));
  const blank = () => (template ? copyOf(template) : emptyForm(user?.email));
  const userId = user?.id;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => (user ? launchDraft.read(user.id) : null));
  // The idempotency key stays the same until the server accepts or refuses the request, so that a retry after a lost
  // response creates no second event.
  const key = useRef(draft?.key ?? crypto.randomUUID());
  const isOpen = useRef(open);
  useEffect(() => {
    isOpen.current = open;
  }, [open]);

  const launch = useAction({
    mutationFn: (form: LaunchForm) => {
      if (!user) throw new Error('Please log in to create an event');
      return post('/api/events', bodyOf(form), Event, { headers: { 'idempotency-key': key.current } });
    },
    done: ({ id, title }) => ({
      title: t('created'),
      description: days.length > 0 ? t('isLiveOn', { title, count: String(days.length) }) : t('isLive', { title }),
      // Shows the toast on the event's page, unless the user has closed the dialog.
      ...(isOpen.current && { at: eventPath({ id }) }),
    }),
    onSuccess: (event) => {
      startOver();
      queries.setQueryData(eventQuery(event.id).queryKey, event);
      if (isOpen.current)
        void navigate(eventPath(event), {
          replace: /^#(launch|duplicate-\d+)$/.test(window.location.hash),
          state: { isLaunched: true },
        });
      onClose();
      return Promise.all([
        queries.invalidateQueries({ queryKey: ['/api/events'] }),
        queries.invalidateQueries({ queryKey: ['/api/users'] }),
        queries.invalidateQueries({ queryKey: organizingQuery().queryKey }),
      ]);
    },
    failed: (error) => ({ title: t('failed'), description: failureText(error) }),
    onError: (error) => {
      if (error instanceof HttpError && error.status < 500) {
        key.current = crypto.randomUUID();
        if (userId !== undefined) launchDraft.write(userId, { form: values, key: key.current });
      }
    },
  });
  const form = useFields({
    schema,
    initial: draft?.form ?? blank(),
    onSubmit: (checked) => launch.mutate(checked),
    onRefused: (messages) => toast({ ...refusalToast(messages), variant: 'destructive' }),
    error: launch.error,
  });
  const { values, bind } = form;
  // Defers the preview, so that typing stays fast.
  const previewed = useDeferredValue(values);
  // Compares the picture first, because it may be large and needs no serialization.
  const isEmpty = values.imageUrl === blank().imageUrl && JSON.stringify(values) === JSON.stringify(blank());
  const days = daysOfForm(values);
  useKeptDraft(launchDraft, userId, { form: values, key: key.current }, isEmpty);
  const startOver = () => {
    key.current = crypto.randomUUID();
    setDraft(null);
    form.reset(blank());
  };

  if (!user || !open) return null;
  return (
    <FormDialog
      form={form}
      title={template ? t('duplicate') : t('addNew')}
      description={template ? t('duplicateWhy', { title: template.title }) : t('launchWhy')}
      size={preview ? 'split' : 'wide'}
      action={days.length > 0 ? t('launchMany', { count: String(days.length) }) : t('launch')}
      acting={t('creating')}
      pending={launch.isPending}
      failure={null}
      onClose={onClose}
    >
      <div className={preview ? 'grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[minmax(0,1fr)_25rem]' : 'contents'}>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
          {draft && <DraftNote onStartOver={startOver} />}
          <EventFields
            key={draft ? 'draft' : 'new'}
            bind={bind}
            hasLostPhoto={Boolean(draft?.lostPhoto)}
            autoFocus={HAS_KEYBOARD}
          />
          <RepeatField values={values} bind={bind} />
          <div className="grid gap-4 rounded-md bg-sunken p-4">
            <Switch
              label={t('sellTickets')}
              hint={t('sellTicketsHint')}
              checked={values.hasTickets}
              onCheckedChange={bind('hasTickets').onChange}
            />
            {values.hasTickets ? <TicketFields bind={bind} /> : <FreeEntryField bind={bind} />}
          </div>
          <TextField
            {...bind('contactEmail')}
            label={t('contact')}
            type="email"
            autoComplete="email"
            hint={t('contactHint')}
          />
        </div>
        {preview && <div className="self-start lg:sticky lg:top-1">{preview(previewOf(previewed, user))}</div>}
      </div>
    </FormDialog>
  );
}

import type { Event } from '@beltway/contracts/catalog/events';
import Megaphone from 'lucide-react/icons/megaphone';
import Radio from 'lucide-react/icons/radio';
import { Suspense } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { isEnded, isUpcoming } from '../../lib/events/event-facts.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { useSession } from '../../lib/session/session.ts';
import { texts } from './owner.texts.en.ts';

// Loaded when opened: few readers of the page own the event.
const EditDialog = lazily(async () => (await import('./edit-dialog.tsx')).EditDialog);
const PostponeDialog = lazily(async () => (await import('./postpone-dialog.tsx')).PostponeDialog);
const CancelDialog = lazily(async () => (await import('./cancel-dialog.tsx')).CancelDialog);

/** For the event's owner: change it, promote it, launch another one like it, postpone it or give it a new date, or cancel it and refund everybody. */
export function OwnerTools({ event }: { event: Event }) {
  const t = useTexts(texts);
  const { user } = useSession();
  const now = useEventClock(event);
  const [isEditing, setEditing] = useDialogEntry('edit');
  const [isPostponing, setPostponing] = useDialogEntry('postpone');
  const [isCanceling, setCanceling] = useDialogEntry('cancel');
  const [, setDuplicating] = useDialogEntry(`duplicate-${event.id}`);
  const [, setPromoting] = useDialogEntry(`promote-${event.id}`);
  const duplicate = (
    <Button variant="quiet" className="px-3" onClick={() => setDuplicating(true)}>
      {t('duplicate')}
    </Button>
  );
  if (event.status === 'canceled')
    return (
      <section
        aria-label={t('yourEvent')}
        className="flex items-center justify-between gap-2 rounded-lg bg-sunken px-5 py-3"
      >
        <Meta>{t('isYours')}</Meta>
        {duplicate}
      </section>
    );
  const isPostponed = event.status === 'postponed';
  // Once it is over only admins may: every order is refunded then.
  const mayCancel = isPostponed || !isEnded(event, now) || user?.role === 'admin';
  return (
    <section aria-label={t('yourEvent')} className="grid gap-2 rounded-lg bg-sunken px-5 py-3">
      <Meta>{t('isYours')}</Meta>
      <div className="-ms-3 flex flex-wrap gap-1">
        <Button variant="secondary" className="ms-3" onClick={() => setEditing(true)}>
          {isPostponed ? t('newDate') : t('edit')}
        </Button>
        {event.isLivestream && (
          <ButtonLink to={`/studio/${event.id}`} variant="secondary">
            <Radio aria-hidden className="size-4" />
            {t('studio')}
          </ButtonLink>
        )}
        {isUpcoming(event, now) && (
          <Button variant="secondary" aria-haspopup="dialog" onClick={() => setPromoting(true)}>
            <Megaphone aria-hidden className="size-4" />
            {t('promote')}
          </Button>
        )}
        {duplicate}
        {!isPostponed && !isEnded(event, now) && (
          <Button variant="quiet" className="px-3" onClick={() => setPostponing(true)}>
            {t('postpone')}
          </Button>
        )}
        {mayCancel && (
          <Button variant="quiet" className="px-3" onClick={() => setCanceling(true)}>
            {t('cancelEvent')}
          </Button>
        )}
      </div>
      <Suspense>
        {isEditing && <EditDialog event={event} onClose={() => setEditing(false)} />}
        {isPostponing && <PostponeDialog event={event} onClose={() => setPostponing(false)} />}
        {isCanceling && <CancelDialog event={event} onClose={() => setCanceling(false)} />}
      </Suspense>
    </section>
  );
}

import type { Event } from '@beltway/contracts/catalog/events';
import Megaphone from 'lucide-react/icons/megaphone';
import Radio from 'lucide-react/icons/radio';
import Users from 'lucide-react/icons/users';
import { Suspense, type ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { isEnded, isUpcoming } from '../../lib/events/event-facts.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { useSession } from '../../lib/session/session.ts';
import { texts } from './owner.texts.en.ts';

// Loaded when needed, because few visitors own the event.
const OwnerSales = lazily(async () => (await import('./owner-sales.tsx')).OwnerSales);
const EditDialog = lazily(async () => (await import('./edit-dialog.tsx')).EditDialog);
const PostponeDialog = lazily(async () => (await import('./postpone-dialog.tsx')).PostponeDialog);
const CancelDialog = lazily(async () => (await import('./cancel-dialog.tsx')).CancelDialog);

interface OwnerToolsProps {
  event: Event;
  /** The menu to share the event. */
  share: ReactNode;
}

/**
 * The organizer's tools: sales, then attendees, share, edit and promote, then rare actions. Canceling with refunds
 * comes last.
 */
export function OwnerTools({ event, share }: OwnerToolsProps) {
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
  // After the event has ended, only admins may cancel it, because canceling refunds every order.
  const mayCancel = isPostponed || !isEnded(event, now) || user?.role === 'admin';
  return (
    <section aria-label={t('yourEvent')} className="grid gap-3 rounded-lg bg-sunken px-5 py-4">
      <div>
        <Meta>{t('isYours')}</Meta>
        <Suspense fallback={<p>&nbsp;</p>}>
          <OwnerSales event={event} />
        </Suspense>
      </div>
      <div className="flex flex-wrap gap-2">
        {event.hasTickets && (
          <ButtonLink to={`/dashboard/events/${event.id}`} variant="secondary" className="px-4">
            <Users aria-hidden className="size-4" />
            {t('attendees')}
          </ButtonLink>
        )}
        {share}
        <Button variant="secondary" className="px-4" onClick={() => setEditing(true)}>
          {isPostponed ? t('newDate') : t('edit')}
        </Button>
        {isUpcoming(event, now) && (
          <Button variant="secondary" className="px-4" aria-haspopup="dialog" onClick={() => setPromoting(true)}>
            <Megaphone aria-hidden className="size-4" />
            {t('promote')}
          </Button>
        )}
        {event.isLivestream && (
          <ButtonLink to={`/studio/${event.id}`} variant="secondary" className="px-4">
            <Radio aria-hidden className="size-4" />
            {t('studio')}
          </ButtonLink>
        )}
      </div>
      <div className="-mx-3 -my-1 flex flex-wrap gap-1">
        {duplicate}
        {!isPostponed && !isEnded(event, now) && (
          <Button variant="quiet" className="px-3" onClick={() => setPostponing(true)}>
            {t('postpone')}
          </Button>
        )}
        {mayCancel && (
          <Button variant="quiet" className="px-3 text-danger-ink" onClick={() => setCanceling(true)}>
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

import type { Event } from '@beltway/contracts/catalog/events';
import { Suspense } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { Button } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { texts } from './owner.texts.en.ts';

const CancelDialog = lazily(async () => (await import('./cancel-dialog.tsx')).CancelDialog);

/** Lets an admin cancel another organizer's event. Once an event is over, only admins may cancel it. */
export function AdminTools({ event }: { event: Event }) {
  const t = useTexts(texts);
  const [isCanceling, setCanceling] = useDialogEntry('cancel');
  if (event.status === 'canceled') return null;
  return (
    <section aria-label={t('forAdmins')} className="grid gap-2 rounded-lg bg-sunken px-5 py-3">
      <Meta>{t('forAdmins')}</Meta>
      <Button variant="quiet" className="-ms-3 justify-self-start px-3" onClick={() => setCanceling(true)}>
        {t('cancelEvent')}
      </Button>
      <Suspense>{isCanceling && <CancelDialog event={event} onClose={() => setCanceling(false)} />}</Suspense>
    </section>
  );
}

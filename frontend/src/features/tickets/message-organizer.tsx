import type { Order } from '@beltway/contracts/ticketing/tickets';
import { Suspense, useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { texts } from '../../lib/orders/texts.en.ts';
import { Button } from '../../ui/button.tsx';

const MessageDialog = lazily(async () => (await import('../../lib/orders/message-dialog.tsx')).MessageDialog);

/** Opens the form that writes to the event's organizer. */
export function MessageOrganizer({ order: { orderId, event } }: { order: Order }) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" className="-ml-5 print:hidden" onClick={() => setOpen(true)}>
        {t('messageOrganizer')}
      </Button>
      <Suspense>
        {isOpen && (
          <MessageDialog
            orderId={orderId}
            to="organizer"
            description={t('messageOf', { title: event.title })}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  );
}

import type { Ticket } from '@beltway/contracts/ticketing/tickets';
import { Suspense } from 'react';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { Skeleton } from '../../ui/states.tsx';
import { lazily } from '../../lib/loading/lazily.ts';
import { texts } from './texts.en.ts';

const Qr = lazily(async () => (await import('./qr.tsx')).Qr);

/** The QR code of one admission; its code is loaded with the first. Nothing for a void ticket. */
export const TicketCode = ({ ticket, className }: { ticket: Ticket; className: string }) =>
  ticket.qrCode !== null && (
    <Suspense
      fallback={
        <div data-keep-clear>
          <Skeleton className={className} />
        </div>
      }
    >
      <Qr text={ticket.qrCode} label={textsNow(texts)('qrOf', { code: ticket.ticketCode })} className={className} />
    </Suspense>
  );

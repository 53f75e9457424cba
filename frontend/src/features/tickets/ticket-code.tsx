import type { Ticket } from '@beltway/contracts/ticketing/tickets';
import { Suspense } from 'react';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { Skeleton } from '../../ui/states.tsx';
import { lazily } from '../../lib/loading/lazily.ts';
import { texts } from './texts.en.ts';

const Qr = lazily(async () => (await import('./qr.tsx')).Qr);

/** A ticket's QR code. The encoder loads with the first code. Renders nothing for a void ticket. */
export const TicketCode = ({ ticket, className }: { ticket: Ticket; className: string }) =>
  ticket.qrCode !== null && (
    <Suspense fallback={<Skeleton className={className} />}>
      <Qr text={ticket.qrCode} label={textsNow(texts)('qrOf', { code: ticket.ticketCode })} className={className} />
    </Suspense>
  );

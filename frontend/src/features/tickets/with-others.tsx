import { admits } from '@beltway/contracts/ticketing/ticket-status';
import type { Ticket, TicketEvent } from '@beltway/contracts/ticketing/tickets';
import { DirectionsButton } from '../../lib/events/directions-button.tsx';
import { SendTicket } from './send-ticket.tsx';

/** Buttons for directions and for sending a ticket to a friend. Renders nothing if no ticket admits. */
export const WithOthers = ({ event, tickets }: { event: TicketEvent; tickets: readonly Ticket[] }) =>
  tickets.some(({ status }) => admits(status)) && (
    <>
      <DirectionsButton location={event.location} className="max-sm:px-3" />
      <SendTicket event={event} tickets={tickets} />
    </>
  );

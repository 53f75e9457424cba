import type { Event } from '@beltway/contracts/catalog/events';
import { PrimaryAction } from './primary-action.tsx';
import { TicketsPanel } from './tickets-panel.tsx';

/** An event's tickets and its main button, below each other. */
export const Offer = ({ event }: { event: Event }) => (
  <>
    <TicketsPanel event={event} fallback={null} />
    <PrimaryAction event={event} className="justify-self-start" />
  </>
);

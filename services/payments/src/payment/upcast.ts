import type { Fact } from '@beltway/event-store';
import type { PaymentEvent } from './events.ts';

/** The fields of older days: every payment was of an order of tickets, and each event named it. */
type Old = { orderId: string; eventId?: number; purpose?: 'tickets' };

/**
 * Payments stored before there was anything but tickets to buy, as they are said today: `orderId` and `eventId` are what was bought.
 * What was fulfilled and what is asked to be refunded is told by the stream alone.
 */
export function upcastPayment({ type, data }: Fact): PaymentEvent {
  const stored = data as object;
  if (!('orderId' in stored)) return { type, data: stored } as PaymentEvent;
  const { orderId, eventId, purpose: _tickets, ...others } = stored as Old;
  if (eventId === undefined) return { type, data: others } as PaymentEvent;
  const bought = { purpose: 'tickets', orderId, eventId } as const;
  return {
    type,
    data: { ...others, ...(type === 'PaymentRequested' && { id: orderId }), bought },
  } as unknown as PaymentEvent;
}

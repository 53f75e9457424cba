import type { Event } from '@beltway/contracts/catalog';
import { isEnded } from '../../lib/event-facts.ts';
import { serverNow } from '../../lib/server-clock.ts';

/** Why this account cannot promote the event, in words; null when it can. The server has the same rules (docs/product.md#promotion). */
export function refusalOf(event: Event, userId: number | undefined): string | null {
  if (event.userId !== userId) return 'Only its organiser can promote an event.';
  if (event.status === 'cancelled') return `${event.title} was cancelled.`;
  if (event.status === 'postponed') return `${event.title} has no date at present. Promote it when it has one.`;
  return isEnded(event, new Date(serverNow())) ? `${event.title} is over.` : null;
}

import type { Event } from '@beltway/contracts/catalog/events';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { isEnded, isSuspended } from '../../lib/events/event-facts.ts';
import { texts } from './packages.texts.en.ts';

/**
 * Text that explains why this account cannot promote the event, or null. The server applies the same rules
 * (services/catalog/PRODUCT.md#promotion).
 */
export function refusalOf(event: Event, userId: number | undefined, now: Date): string | null {
  const t = textsNow(texts);
  const { title } = event;
  if (event.userId !== userId) return t('onlyOrganizer');
  if (event.status === 'canceled') return t('wasCanceled', { title });
  if (isSuspended(event)) return t('isSuspended', { title });
  if (event.status === 'postponed') return t('noDate', { title });
  return isEnded(event, now) ? t('isOver', { title }) : null;
}

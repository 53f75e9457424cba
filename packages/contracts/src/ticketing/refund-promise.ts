import type { Language } from '../common/languages.ts';
import { DEFAULT_REFUND_DEADLINE_HOURS } from './refunds.ts';
import { HOUR_MS, startOf, type EventHours } from '../common/times.ts';
import { momentText } from '../common/when.ts';

/** 24 → "24 hours", 48 → "2 days" */
export const spanText = (hours: number, language: Language = 'en'): string => {
  const [days, hour, manyHours] = language === 'es' ? ['días', 'hora', 'horas'] : ['days', 'hour', 'hours'];
  if (hours >= 48 && hours % 24 === 0) return `${hours / 24} ${days}`;
  return hours === 1 ? `1 ${hour}` : `${hours} ${manyHours}`;
};

/**
 * An organizer's refund rule in words. `hours`: how many hours before the event buyers may still cancel; null: never.
 */
export function refundRule(hours: number | null, language: Language = 'en'): string {
  if (language === 'es') {
    if (hours === null) return 'Estos boletos no son reembolsables.';
    const until =
      hours === 0 ? 'hasta que empiece el evento' : `hasta ${spanText(hours, 'es')} antes de que empiece el evento`;
    return `Reembolso completo ${until}.`;
  }
  if (hours === null) return 'These tickets are non-refundable.';
  const until = hours === 0 ? 'until the event begins' : `until ${spanText(hours)} before the event begins`;
  return `Full refund ${until}.`;
}

/** Whether a buyer may cancel, and until when (null: never, or at any time), as in responses with an order. */
export interface RefundTerms {
  refundable: boolean;
  refundableUntil: string | null;
}

/**
 * Applies the refund rule to an event at the current time, before or after the payment. A postponed event has no
 * deadline.
 */
export function refundTerms(
  hours: number | null | undefined,
  event: Pick<EventHours, 'eventDate' | 'eventStartTime'> & { status: string },
  now: Date,
): RefundTerms {
  if (hours === null) return { refundable: false, refundableUntil: null };
  if (event.status === 'postponed') return { refundable: true, refundableUntil: null };
  const until = new Date(startOf(event).getTime() - (hours ?? DEFAULT_REFUND_DEADLINE_HOURS) * HOUR_MS);
  return { refundable: now < until, refundableUntil: until.toISOString() };
}

/** The refund terms in words, for buyers. */
export function refundLine({ refundable, refundableUntil }: RefundTerms, language: Language = 'en'): string {
  const when = refundableUntil && momentText(refundableUntil, language);
  if (language === 'es') {
    if (refundable)
      return when
        ? `Reembolso completo hasta el ${when}.`
        : 'Mientras el evento no tenga fecha, puedes cancelar en cualquier momento con reembolso completo.';
    return when ? `El plazo de reembolso (${when}) ya pasó.` : refundRule(null, 'es');
  }
  if (refundable)
    return when
      ? `Full refund until ${when}.`
      : 'While the event has no date, you can cancel any time for a full refund.';
  return when ? `The refund deadline (${when}) has passed.` : refundRule(null);
}

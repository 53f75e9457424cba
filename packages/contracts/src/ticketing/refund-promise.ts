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

/** An organizer's rule for any event: by the hours before it until which buyers may cancel; null: they may not. */
export function refundRule(hours: number | null, language: Language = 'en'): string {
  if (language === 'es') {
    if (hours === null) return 'Quien compra los boletos no los puede cancelar.';
    const until = hours === 0 ? 'hasta que empiece' : `hasta ${spanText(hours, 'es')} antes de que empiece`;
    return `Puedes cancelar los boletos ${until} y recuperar el precio completo.`;
  }
  if (hours === null) return 'Tickets cannot be canceled by their buyer.';
  const until = hours === 0 ? 'until it begins' : `until ${spanText(hours)} before it begins`;
  return `You can cancel tickets ${until} and get the whole price back.`;
}

/** Whether a buyer may cancel, and until when (null: never, or at any time), as an order answers it. */
export interface RefundTerms {
  refundable: boolean;
  refundableUntil: string | null;
}

/** What the hours mean for this event at this moment, before and after paying. A postponed event has no hours to count from. */
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

/** The same in words, wherever a buyer reads them. */
export function refundLine({ refundable, refundableUntil }: RefundTerms, language: Language = 'en'): string {
  const when = refundableUntil && momentText(refundableUntil, language);
  if (language === 'es') {
    if (refundable)
      return when
        ? `Puedes cancelar boletos hasta el ${when} y recuperar el precio completo.`
        : 'Mientras el evento no tenga fecha puedes cancelar boletos en cualquier momento y recuperar el precio completo.';
    return when ? `Los boletos se podían cancelar hasta el ${when}. Ese plazo ya pasó.` : refundRule(null, 'es');
  }
  if (refundable)
    return when
      ? `You can cancel tickets until ${when} and get the whole price back.`
      : 'While the event has no date you can cancel tickets at any time and get the whole price back.';
  return when ? `Tickets could be canceled until ${when}. That time is over.` : refundRule(null);
}

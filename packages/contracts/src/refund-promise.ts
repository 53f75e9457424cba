import type { Language } from './languages.ts';
import { DEFAULT_REFUND_DEADLINE_HOURS } from './refunds.ts';

/** 24 → "24 hours", 48 → "2 days" */
export const spanText = (hours: number, language: Language = 'en'): string => {
  const [days, hour, manyHours] = language === 'es' ? ['días', 'hora', 'horas'] : ['days', 'hour', 'hours'];
  if (hours >= 48 && hours % 24 === 0) return `${hours / 24} ${days}`;
  return hours === 1 ? `1 ${hour}` : `${hours} ${manyHours}`;
};

/** What a buyer is promised, by the hours before the event until which they may cancel; null: they may not. */
export function refundPromise(hours: number | null = DEFAULT_REFUND_DEADLINE_HOURS, language: Language = 'en'): string {
  if (language === 'es') {
    if (hours === null) return 'Quien compra los boletos no los puede cancelar.';
    const until = hours === 0 ? 'hasta que empiece' : `hasta ${spanText(hours, 'es')} antes de que empiece`;
    return `Puedes cancelar los boletos ${until} y recuperar el precio completo.`;
  }
  if (hours === null) return 'Tickets cannot be cancelled by their buyer.';
  const until = hours === 0 ? 'until it begins' : `until ${spanText(hours)} before it begins`;
  return `You can cancel tickets ${until} and get the whole price back.`;
}

import type { Pool } from 'pg';
import type { Language } from '@beltway/contracts/common/languages';
import type { OrderStep } from '@beltway/contracts/ticketing/orders';
import { uuidFrom } from '@beltway/event-store';
import type { SaleEvent } from '../sale/events.ts';
import { english } from './step-texts.en.ts';
import { spanish } from './step-texts.es.ts';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

/** For each language, the function that returns the text of an order's event. */
const stepTexts: Record<Language, (event: SaleEvent) => string | null> = { en: english, es: spanish };

/** Maximum number of steps in a history. Only misuse makes more. */
export const MAX_STEPS = 500;

/**
 * An order's events in the log of its sale, oldest first. Finds the order's hold by its command id, and reads the log
 * from there on.
 */
export async function historyOf(
  pool: Pool,
  eventId: number,
  orderId: string,
  language: Language = 'en',
): Promise<OrderStep[]> {
  const { rows } = await sql<{ type: string; data: object; at: Date }>`select type, data, occurred_at as at from events
    where stream = ${`sale-${eventId}`} and data->>'orderId' = ${orderId}
      and version >= coalesce((select version from events where command_id = ${uuidFrom(orderId)}), 1)
    order by version limit ${MAX_STEPS}`.execute(kysely(pool));
  return rows.flatMap(({ at, ...stored }) => {
    const event = stored as SaleEvent;
    const text = stepTexts[language](event);
    return text ? [{ at: at.toISOString(), type: event.type, text }] : [];
  });
}

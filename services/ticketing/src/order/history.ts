import type { Pool } from 'pg';
import type { Language } from '@beltway/contracts/common/languages';
import type { OrderStep } from '@beltway/contracts/ticketing/orders';
import { uuidFrom } from '@beltway/event-store';
import type { SaleEvent } from '../sale/events.ts';
import { english } from './step-texts.en.ts';
import { spanish } from './step-texts.es.ts';
import { sql } from 'kysely';
import { kysely } from '../db.ts';

/** What happened, in each language. */
const stepTexts: Record<Language, (event: SaleEvent) => string | null> = { en: english, es: spanish };

/** Far more than an order can have without somebody playing with it. */
export const MAX_STEPS = 500;

/** The steps of an order in its sale's log, oldest first. Reads that from the order's hold on, whose command has its id. */
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

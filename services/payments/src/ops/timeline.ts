import type { Pool } from 'pg';
import type { TimelineOf } from '@beltway/contracts/ops/timelines';
import { historyOf, MAX_STEPS } from '../payment/order-payment.ts';

/** What payments knows of a payment: all events of its stream, oldest first. */
export async function timelineOf(pool: Pool, id: string): Promise<TimelineOf> {
  const steps = await historyOf(pool, id, { forAdmins: true });
  return { known: steps.length > 0, steps, isCut: steps.length >= MAX_STEPS };
}

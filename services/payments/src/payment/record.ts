import { Rejected } from '@beltway/event-store';
import type { Logger } from '@beltway/kit/logger';
import type { Db } from '../db.ts';
import type { RecordCommand } from './events.ts';
import type { Payments } from './payments.ts';

export interface Recording {
  payments: Payments;
  db: Db;
  log: Logger;
}

/**
 * Records what the provider told. A payment that is not ours, or news that cannot be true of it, is logged and left: telling it
 * again would change nothing. Faults of the database are thrown: then it must be told again.
 */
export async function record(
  { payments, db, log }: Recording,
  command: RecordCommand,
  context: { commandId: string; correlationId?: string; causationId?: string },
): Promise<'recorded' | 'nothing-new' | 'not-ours'> {
  const { paymentId, terms } = command;
  const id = terms?.orderId ?? (await idOf(db, paymentId));
  if (!id) {
    log.warn({ paymentId, told: command.type }, 'the provider tells of a payment we do not know');
    return 'not-ours';
  }
  try {
    const { events } = await payments.handle(id, command, context);
    return events.length > 0 ? 'recorded' : 'nothing-new';
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    log.error(
      { err: error, id, paymentId, told: command.type, code: error.code },
      'what the provider tells does not fit the payment',
    );
    return 'not-ours';
  }
}

/** For what carries no metadata of ours: a refund made by hand. */
async function idOf(db: Db, paymentId: string): Promise<string | undefined> {
  const row = await db.payment.findUnique({ where: { stripePaymentIntentId: paymentId }, select: { id: true } });
  return row?.id;
}

import type { Client } from 'pg';
import { ORGANIZER_ID, type Paid } from './reports.ts';

interface Booked {
  stream: string;
  succeeded: number;
  amount: number | null;
  parts: Array<{ refundId: string; cents: number }> | null;
}

/**
 * Reads the log and the ledger and compares them with the provider's reports: each payment succeeded once, each part
 * was refunded once, and nothing else happened. The sums are computed here, independently of the service.
 */
export async function differences(database: Pick<Client, 'query'>, payments: Paid[]): Promise<string[]> {
  const wrong: string[] = [];
  const { rows } = await database.query<Booked>(
    `select stream,
            count(*) filter (where type = 'PaymentSucceeded')::int as succeeded,
            max((data->>'amountCents')::int) filter (where type = 'PaymentSucceeded') as amount,
            json_agg(json_build_object('refundId', data->>'refundId', 'cents', (data->>'partCents')::int))
              filter (where type = 'PaymentPartlyRefunded') as parts
     from events where stream like 'payment-%' group by stream`,
  );
  const booked = new Map(rows.map((row) => [row.stream, row]));
  if (booked.size !== payments.length) wrong.push(`${booked.size} payments for ${payments.length}`);
  const sorted = (parts: Booked['parts']) =>
    JSON.stringify([...(parts ?? [])].sort((one, other) => one.refundId.localeCompare(other.refundId)));
  let received = 0;
  let back = 0;
  for (const { id, amountCents, parts } of payments) {
    const found = booked.get(`payment-${id}`);
    if (found?.succeeded !== 1 || found.amount !== amountCents)
      wrong.push(`payment ${id} succeeded ${found?.succeeded} times, with ${found?.amount} of ${amountCents} cents`);
    if (sorted(found?.parts ?? null) !== sorted(parts)) wrong.push(`payment ${id}: ${JSON.stringify(found?.parts)}`);
    received += amountCents;
    back += parts.reduce((sum, { cents }) => sum + cents, 0);
  }
  const { rows: others } = await database.query<{ type: string; count: number }>(
    `select type, count(*)::int from events where stream like 'payment-%'
     and type not in ('PaymentRequested', 'PaymentSucceeded', 'PaymentPartlyRefunded') group by type`,
  );
  for (const { type, count } of others) wrong.push(`${count} times ${type}, which nobody reported`);
  const { rows: accounts } = await database.query<{ account: string; cents: string }>(
    'select account, sum(amount_cents) as cents from ledger_entries group by account',
  );
  const sums = new Map(accounts.map(({ account, cents }) => [account, Number(cents)]));
  const total = [...sums.values()].reduce((sum, cents) => sum + cents, 0);
  if (total !== 0) wrong.push(`the ledger's legs add up to ${total}`);
  if (sums.get('provider') !== received - back)
    wrong.push(`the ledger has ${sums.get('provider')} cents at the provider, which reported ${received - back}`);
  const owed = -(sums.get(`organizer:${ORGANIZER_ID}`) ?? 0) - (sums.get('platform') ?? 0);
  if (owed !== received - back) wrong.push(`${owed} cents are owed of ${received - back}`);
  return wrong;
}

import type { Client } from 'pg';

/** Compares the promised orders (their ids, one ticket each) with the event's rows and counter. */
export async function differences(
  database: Pick<Client, 'query'>,
  eventId: number,
  capacity: number,
  promised: string[],
): Promise<string[]> {
  const { rows } = await database.query<Record<'capacity' | 'taken' | 'orders' | 'known', string>>(
    `select capacity, sold + held as taken,
       (select coalesce(sum(quantity), 0) from orders where event_id = $1 and status in ('held', 'fulfilled')) as orders,
       (select count(*) from orders where event_id = $1 and order_id = any($2::uuid[])) as known
     from availability where event_id = $1`,
    [eventId, promised],
  );
  const [row] = rows;
  const wrong: string[] = [];
  const same = (what: string, found: unknown, wanted: number) => {
    if (Number(found) !== wanted) wrong.push(`event ${eventId}: ${what}: ${found}, not ${wanted}`);
  };
  same('capacity', row?.capacity, capacity);
  same('sold and held', row?.taken, promised.length);
  same('tickets of its orders', row?.orders, promised.length);
  same('answers 201 with an order of their own', new Set(promised).size, promised.length);
  same('answers 201 with a row', row?.known, promised.length);
  return wrong;
}

/** Compares the promised orders with the sale's events in our log. The log may contain each order only once. */
export async function logDifferences(
  database: Pick<Client, 'query'>,
  eventId: number,
  promised: string[],
): Promise<string[]> {
  const { rows } = await database.query<Record<'held' | 'known', string>>(
    `select coalesce(sum(tickets_in(data->'lines')), 0) as held,
       count(*) filter (where (data->>'orderId')::uuid = any($2::uuid[])) as known
     from events where stream = $1 and type = 'TicketsHeld'`,
    [`sale-${eventId}`, promised],
  );
  const { held, known } = rows[0]!;
  if (Number(held) === promised.length && Number(known) === promised.length) return [];
  return [`event ${eventId}: the log holds ${held} tickets, ${known} of the ${promised.length} that were promised`];
}

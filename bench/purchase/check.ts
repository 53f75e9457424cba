import type { Client } from 'pg';
import type { Bought } from './buyer.ts';

/** Compares the paid orders with the tickets in the tables, order by order, and with the sale's counter. */
export async function differences(
  database: Pick<Client, 'query'>,
  eventId: number,
  bought: Bought[],
): Promise<string[]> {
  const wrong: string[] = [];
  const { rows: orders } = await database.query<{ order_id: string; status: string; tickets: string }>(
    `select o.order_id, o.status, count(t.id) as tickets from orders o left join tickets t using (order_id)
     where o.event_id = $1 group by o.order_id`,
    [eventId],
  );
  const found = new Map(orders.map((order) => [order.order_id, order]));
  for (const { orderId, quantity } of bought) {
    const order = found.get(orderId);
    if (order?.status !== 'fulfilled' || Number(order.tickets) !== quantity)
      wrong.push(`order ${orderId} is ${order?.status} with ${order?.tickets} of ${quantity} tickets`);
  }
  if (found.size !== bought.length) wrong.push(`${found.size} orders for ${bought.length} purchases`);
  const paid = bought.reduce((sum, { quantity }) => sum + quantity, 0);
  const { rows } = await database.query<{ sold: number; held: number }>(
    'select sold, held from availability where event_id = $1',
    [eventId],
  );
  if (rows[0]?.sold !== paid || rows[0].held !== 0)
    wrong.push(`the sale counts ${rows[0]?.sold} sold and ${rows[0]?.held} held, and ${paid} were paid`);
  return wrong;
}

import { randomUUID } from 'node:crypto';
import type { Queries } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { Sales } from '../../services/ticketing/src/sale/stream.ts';
import type { HotSale } from './sales.ts';

const MANY = 200_000_000;

interface Counted {
  holds: string;
  held: string;
  sold: string;
  commands: string;
  versions: string;
  last: string;
}

/**
 * Compares the buyers' answers with the log, the tables and the writer's memory; returns the differences. `givenBack`
 * is the number of accepted tickets that buyers released.
 */
export async function differences(pool: Queries, sales: Sales, sale: HotSale, givenBack = 0): Promise<string[]> {
  const ids = [...sale.accepted.keys()];
  const tickets = [...sale.accepted.values()].reduce((sum, quantity) => sum + quantity, 0);
  const taken = tickets - givenBack;
  const inMemory = await memoryOf(sales, sale.id);
  const [log] = (await pool.query<Counted & Record<string, string>>(LOG, [`sale-${sale.id}`])).rows;
  const [row] = (
    await pool.query<Record<string, string>>(
      `select capacity, sold, held, version, (select count(*) from orders where event_id = $1) as orders,
         (select coalesce(sum(quantity), 0) from orders where event_id = $1 and status in ('held', 'fulfilled')) as tickets,
         (select count(*) from tickets where event_id = $1) as admissions from availability where event_id = $1`,
      [sale.id],
    )
  ).rows;
  const known = async (orders: string[]) =>
    Number(
      (await pool.query<{ n: string }>('select count(*) as n from events where command_id = any($1::uuid[])', [orders]))
        .rows[0]?.n,
    );

  const wrong: string[] = [];
  const same = (what: string, found: unknown, wanted: number) => {
    if (Number(found) !== wanted) wrong.push(`sale ${sale.id}: ${what} is ${found}, not ${wanted}`);
  };
  same('accepted orders in the log', await known(ids), ids.length);
  same('refused orders in the log', await known(sale.refused), 0);
  same('holds in the log', log?.holds, ids.length);
  same('held and sold tickets in the log', Number(log?.held) + Number(log?.sold), taken);
  same('versions without a gap', log?.versions, Number(log?.last));
  same('held and sold tickets in memory', inMemory, taken);
  same('capacity of the row', row?.['capacity'], MANY);
  same('held and sold tickets of the row', Number(row?.['held']) + Number(row?.['sold']), taken);
  same('rows of orders', row?.['orders'], ids.length);
  same('tickets of the orders', row?.['tickets'], taken);
  same('rows of tickets', row?.['admissions'], Number(log?.sold));
  same('version of the row', row?.['version'], Number(log?.last));
  return wrong;
}

const LOG = `select count(*) filter (where type = 'TicketsHeld') as holds,
    coalesce(sum(case type when 'TicketsHeld' then tickets_in(data->'lines') when 'HoldReleased' then -tickets_in(data->'lines')
      when 'TicketsSold' then -tickets_in(data->'fromHold') else 0 end), 0) as held,
    coalesce(sum(tickets_in(data->'lines')) filter (where type = 'TicketsSold'), 0) as sold,
    count(distinct version) as versions, max(version) as last
  from events where stream = $1`;

/**
 * The writer's in-memory count of held and sold tickets. The refusal of an excessive hold contains the number of
 * tickets left.
 */
async function memoryOf(sales: Sales, id: number): Promise<number> {
  const terms = {
    ...{ capacity: MANY, priceCents: 2_500, organizerId: 1, opensAt: null, closesAt: null },
    ...{ endsAt: '2100-01-01T00:00:00.000Z', catalogVersion: 2, refundDeadlineHours: 24 },
  };
  await sales.handle(id, { type: 'OfferTickets', terms }, { commandId: randomUUID() });
  const orderId = randomUUID();
  const tooMany = {
    orderId,
    wanted: [{ type: 'general', quantity: MANY + 1 }],
    buyerId: null,
    at: new Date().toISOString(),
  };
  const refusal = await sales
    .handle(id, { type: 'HoldTickets', ...tooMany }, { commandId: orderId })
    .catch((error: unknown) => error);
  if (!(refusal instanceof Rejected) || refusal.text !== 'not-enough-left') throw refusal;
  return MANY - Number(refusal.params?.['free']);
}

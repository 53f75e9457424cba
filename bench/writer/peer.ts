import { Client } from 'pg';
import type { Server } from '../support/database.ts';

/** A shop without a writer process: one row counts the stock, and each reservation inserts a row. */
const SCHEMA = `
  create table inventory (id integer primary key, capacity integer not null, sold integer not null default 0);
  insert into inventory values (1, 2000000000);
  create table reservation (
    id bigint generated always as identity primary key,
    inventory_id integer not null,
    buyer_id integer not null,
    created_at timestamptz not null default now()
  );`;

/** With this script, every buyer waits for the same row. */
export const HOT_ROW = `\\set buyer random(1, 1000000)
begin;
update inventory set sold = sold + 1 where id = 1 and sold < capacity;
insert into reservation (inventory_id, buyer_id) values (1, :buyer);
commit;
`;

/** No contention: the maximum rate of single-row inserts on this machine. */
export const INSERT = `\\set buyer random(1, 1000000)
insert into reservation (inventory_id, buyer_id) values (2, :buyer);
`;

export async function preparePeer(server: Server): Promise<string> {
  const client = new Client({ connectionString: await server.database('peer') });
  await client.connect();
  await client.query(SCHEMA);
  await client.end();
  return 'peer';
}

/** Compares the number of rows with the counter. */
export async function peerDifferences(server: Server): Promise<string[]> {
  const client = new Client({ connectionString: server.url('peer') });
  await client.connect();
  const { rows } = await client.query<{ sold: string; rows: string }>(
    'select sold, (select count(*) from reservation where inventory_id = 1) as rows from inventory',
  );
  await client.end();
  const { sold, rows: made } = rows[0]!;
  return Number(sold) === Number(made) ? [] : [`the peer counted ${sold} and has ${made} rows`];
}

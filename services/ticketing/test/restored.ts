import type { Message } from '@beltway/contracts/common/basics';
import type { Bus } from '@beltway/kit/bus';
import { logger } from '@beltway/kit/logger';
import { catchUp } from '../src/catch-up.ts';
import { SECRET, type Ticketing } from './support.ts';

const TABLES = `select tablename as name, (
    select string_agg(quote_ident(column_name), ', ') from information_schema.columns
    where table_schema = 'public' and table_name = tablename and is_generated = 'NEVER'
  ) as columns from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'`;

/**
 * Copies every table of the service's database. The returned function restores the copy; call it while nothing is
 * connected.
 */
export async function backup({ rows }: Pick<Ticketing, 'rows'>): Promise<() => Promise<void>> {
  const tables = (await rows(TABLES)) as Array<{ name: string; columns: string }>;
  await rows(
    `create schema backup; ${tables.map(({ name }) => `create table backup.${name} as table ${name};`).join(' ')}`,
  );
  return async () => {
    const back = tables.map(
      ({ name, columns }) =>
        `delete from ${name}; insert into ${name} (${columns}) overriding system value select ${columns} from backup.${name};`,
    );
    // Also resets the sequence, so that positions are reused, as after restoring a copy of the server's files.
    await rows(`begin; set local session_replication_role = replica; ${back.join(' ')} commit;
      select setval(pg_get_serial_sequence('events', 'position'), (select max(position) from events));`);
  };
}

/** All messages ticketing has published. */
export async function heard({ bus }: Pick<Ticketing, 'bus'>): Promise<Message[]> {
  const all: Message[] = [];
  await bus.replay('ticketing.events', async (batch) => void all.push(...batch.map((one) => one.message as Message)));
  return all;
}

/** Runs the catch-up as an operator does. `bus`: a bus that fails during the run. */
export const catchUpLater = ({ databaseUrl, ...ticketing }: Pick<Ticketing, 'databaseUrl' | 'bus'>, bus?: Bus) =>
  catchUp({ databaseUrl, bus: bus ?? ticketing.bus, ticketSecret: SECRET, log: logger('catch-up', 'silent') });

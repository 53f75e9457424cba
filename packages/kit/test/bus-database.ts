import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../src/migrate.ts';

const base = process.env.BUS_TEST_PG ?? 'postgres://postgres@127.0.0.1:55491/';
export async function testDatabase(folders: string[]): Promise<{ url: string; close(): Promise<void> }> {
  const admin = new pg.Client(base + 'postgres');
  await admin.connect();
  const name = 't_' + randomUUID().replaceAll('-', '');
  await admin.query(`create database ${name}`);
  await migrate(base + name, folders);
  return {
    url: base + name,
    close: async () => {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

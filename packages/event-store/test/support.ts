import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import {
  openStore,
  streams,
  streamsWithSharedCommits,
  type Projection,
  type Store,
  type StoreOptions,
  type ToMessages,
  type Upcasts,
} from '@beltway/event-store';
import { testDatabase } from '@beltway/kit/testing';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { TABLES, box, projectTakings, projectTotals, type BoxEvent } from './box.ts';

/** Runs `close` after the test. The last registered function runs first. */
export const later = (close: () => Promise<unknown>) => onTestFinished(async () => void (await close()));

export async function database() {
  const { url, drop } = await testDatabase([eventStoreMigrations]);
  later(drop);
  const admin = new Client({ connectionString: url });
  admin.on('error', () => undefined);
  await admin.connect();
  await admin.query(TABLES);
  later(() => admin.end().catch(() => undefined));
  const rows = async (sql: string, values?: unknown[]) =>
    (await admin.query(sql, values)).rows as Array<Record<string, unknown>>;
  return { url, admin, rows };
}

/** One service instance on this database, with its own pools and cache. */
export function instance(
  url: string,
  extra: {
    projections?: Projection<BoxEvent>[];
    maxWaiting?: number;
    maxCommandIds?: number;
    snapshotEvery?: number;
    sharedCommits?: boolean;
    upcasts?: Upcasts;
    toMessages?: ToMessages;
    soleWriterTimes?: StoreOptions['soleWriterTimes'];
  } = {},
) {
  const {
    projections = [projectTotals, projectTakings],
    maxWaiting,
    maxCommandIds,
    snapshotEvery,
    sharedCommits = false,
    upcasts = {},
    toMessages = () => [],
    soleWriterTimes = {},
  } = extra;
  const store: Store = openStore({ url, upcasts, toMessages, soleWriterTimes });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= store.close());
  later(close);
  const boxes = (sharedCommits ? streamsWithSharedCommits : streams)(store, {
    category: 'box',
    decider: box,
    projections,
    ...(maxWaiting !== undefined && { maxWaiting }),
    ...(maxCommandIds !== undefined && { maxCommandIds }),
    ...(snapshotEvery !== undefined && {
      snapshot: {
        shape: 1,
        every: snapshotEvery,
        pauseMs: 0,
        write: (state: { size: number; taken: number }) => state,
        read: (json: unknown) => json as { size: number; taken: number },
      },
    }),
  });
  return { store, boxes, close };
}

let counter = 0;
export const commandId = () => `command-${process.pid}-${++counter}`;

import type { PoolClient } from 'pg';
import { newId } from './ids.ts';
import { load, type EventRow, type Row } from './ledger-rows.ts';
import type { Work } from './ledger.ts';
import { seconds, type Kind, type Kinds } from './objects.ts';

export type Tx = ReturnType<typeof draft>;

/** What one call sees and changes. Nothing of it counts until the call is decided. */
export function draft(client: PoolClient, cache: Map<string, Row>, work: Work, apiVersion: string) {
  const rows = new Map<string, Row>();
  const events: EventRow[] = [];

  async function row(id: string): Promise<Row | undefined> {
    const here = rows.get(id) ?? cache.get(id);
    if (here) return here;
    for (const [loaded, found] of await load(client, [id])) cache.set(loaded, found);
    return cache.get(id);
  }

  return {
    rows,
    events,
    now: work.now,
    /** A document by id and kind, locked; undefined when there is none. */
    async get<K extends Kind>(kind: K, id: string): Promise<Kinds[K] | undefined> {
      const found = await row(id);
      return found?.kind === kind ? (found.body as Kinds[K]) : undefined;
    },
    async hidden<T>(id: string): Promise<T | undefined> {
      return ((await row(id))?.hidden ?? undefined) as T | undefined;
    },
    /** Documents are never changed in place: put the new one. */
    put(
      kind: Kind | 'challenge',
      body: { id: string },
      { parent = null, hidden }: { parent?: string | null; hidden?: unknown } = {},
    ): void {
      const before = rows.get(body.id) ?? cache.get(body.id);
      rows.set(body.id, {
        kind,
        body,
        parent: parent ?? before?.parent ?? null,
        hidden: hidden ?? before?.hidden ?? null,
      });
    },
    emit(
      type: string,
      object: { id: string },
      { intent = null, previous }: { intent?: string | null; previous?: unknown } = {},
    ): void {
      const id = newId('evt');
      events.push({
        id,
        type,
        intent,
        body: {
          id,
          object: 'event',
          api_version: apiVersion,
          created: seconds(work.now),
          data: { object, ...(previous ? { previous_attributes: previous } : {}) },
          livemode: false,
          pending_webhooks: 1,
          request: { id: work.requestId, idempotency_key: work.key?.name ?? null },
          type,
        },
      });
    },
  };
}

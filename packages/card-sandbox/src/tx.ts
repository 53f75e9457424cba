import { newId } from './ids.ts';
import type { EventRow, Row } from './ledger-rows.ts';
import type { Kind, Kinds } from './kinds.ts';
import { seconds } from './objects.ts';

export type Tx = ReturnType<typeof draft>;

/** One API call. */
export interface Call {
  key?: { name: string; fingerprint: string } | undefined;
  requestId: string;
  now: Date;
}

/** The documents with the changes of the group's earlier calls. */
export interface Seen {
  /** Reads from the database if the row is not cached. */
  row(id: string): Promise<Row | undefined>;
  /** The cached row only. */
  known(id: string): Row | undefined;
}

/**
 * One call's view of the documents, including the call's own changes, which take effect only once the call is decided.
 */
export function draft(seen: Seen, call: Call, apiVersion: string) {
  const rows = new Map<string, Row>();
  const events: EventRow[] = [];

  const row = async (id: string): Promise<Row | undefined> => rows.get(id) ?? seen.row(id);

  return {
    rows,
    events,
    now: call.now,
    /** Returns the document with this id and kind; undefined if it does not exist. */
    async get<K extends Kind>(kind: K, id: string): Promise<Kinds[K] | undefined> {
      const found = await row(id);
      return found?.kind === kind ? (found.body as Kinds[K]) : undefined;
    },
    async hidden<T>(id: string): Promise<T | undefined> {
      return ((await row(id))?.hidden ?? undefined) as T | undefined;
    },
    /** Documents are immutable, so a change puts a new document. */
    put(
      kind: Kind | 'challenge',
      body: { id: string },
      { parent = null, hidden }: { parent?: string | null; hidden?: unknown } = {},
    ): void {
      const before = rows.get(body.id) ?? seen.known(body.id);
      rows.set(body.id, {
        kind,
        body,
        parent: parent ?? before?.parent ?? null,
        hidden: hidden ?? before?.hidden ?? null,
        version: before?.version ?? 0,
      });
    },
    emit(
      type: string,
      object: { id: string },
      { intent = null, previous, account }: { intent?: string | null; previous?: unknown; account?: string } = {},
    ): void {
      const id = newId('evt');
      events.push({
        id,
        type,
        intent,
        text: JSON.stringify({
          id,
          object: 'event',
          ...(account && { account }),
          api_version: apiVersion,
          created: seconds(call.now),
          data: { object, ...(previous ? { previous_attributes: previous } : {}) },
          livemode: false,
          pending_webhooks: 1,
          request: { id: call.requestId, idempotency_key: call.key?.name ?? null },
          type,
        }),
      });
    },
  };
}

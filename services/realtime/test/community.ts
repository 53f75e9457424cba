import { randomUUID } from 'node:crypto';
import type { Role } from '@beltway/contracts/common/basics';
import { eventually } from '@beltway/kit/testing';
import { eventState, said, startBell } from './notifications.ts';

/** An account that makes requests. */
export interface Person {
  id: number;
  role?: Role;
  name?: string;
}

export interface Answered<Body> {
  status: number;
  body: Body & { code?: string; errors?: Array<{ field: string; message: string }> };
  headers: Headers;
}

let lastAccount = 70_000;
export const person = (more: Partial<Person> = {}): Person => ({ id: ++lastAccount, ...more });
export const admin = (): Person => person({ role: 'admin' });

/** Starts realtime, with helpers for its calls about posts and questions. */
export async function startCommunity(options: Parameters<typeof startBell>[0] = {}) {
  const bell = await startBell({ isUnlimited: true, ...options });

  async function ask<Body = Record<string, never>>(
    method: string,
    path: string,
    {
      as,
      body,
      key = randomUUID(),
      headers = {},
    }: { as?: Person | undefined; body?: unknown; key?: string; headers?: Record<string, string> } = {},
  ): Promise<Answered<Body>> {
    const response = await fetch(bell.url + path, {
      method,
      headers: {
        ...(as && { authorization: `Bearer ${await bell.identity.tokenFor(as)}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(method === 'POST' && { 'idempotency-key': key }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text ? JSON.parse(text) : undefined) as Answered<Body>['body'],
    };
  }

  const heardAll = () =>
    eventually(async () =>
      Object.values(await bell.bus.lag('realtime.accounts', ['identity.events'])).every((lag) => lag === 0),
    );

  let lastDecision = 0;
  return Object.assign(bell, {
    ask,
    /**
     * Identity publishes an admin's decision. Resolves when the decision is applied. By default, the decision is newer
     * than all others.
     */
    decide: async (kind: string, id: number | string, action: string, decision = ++lastDecision + 100) => {
      const data = { kind, id: String(id), action, decision, adminId: 9 };
      await bell.hear(said('identity.content-moderated', `case-${kind}.${id}`, data));
      await bell.reports.settled();
    },
    /** Number of rows that refer to the account. */
    rowsOf: async ({ id }: Person): Promise<number> => {
      const { rows } = await bell.pool.query<{ rows: number }>(
        `select (select count(*) from contributions where author_id = $1) + (select count(*) from contribution_marks where user_id = $1)
           + (select count(*) from community_people where user_id = $1) + (select count(*) from requests where user_id = $1)
           + (select count(*) from community_blocks where user_id = $1) as rows`,
        [id],
      );
      return Number(rows[0]!.rows);
    },
    /** Identity publishes whether the account has a public profile. */
    choose: async ({ id }: Person, isVisible: boolean) => {
      await bell.hear(said('identity.visibility-chosen', `user-${id}`, { userId: id, isVisible }));
      await heardAll();
    },
    /** The catalog publishes this event. */
    publish: async (eventId: number, ownerId: number, location = 'The Anthem, Washington, DC') => {
      await bell.hear(said('catalog.event-published', `event-${eventId}`, eventState(eventId, { ownerId, location })));
      await eventually(
        async () => (await bell.pool.query('select from noted_events where event_id = $1', [eventId])).rowCount === 1,
      );
    },
    /** Identity publishes how long ago the account was opened. */
    register: async ({ id }: Person, hoursAgo: number) => {
      const occurredAt = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
      const data = { userId: id, role: 'user' };
      await bell.hear(said('identity.user-registered', `user-${id}`, data, { occurredAt }));
      await heardAll();
    },
  });
}
export type Community = Awaited<ReturnType<typeof startCommunity>>;

/** Texts that are refused everywhere, each for its own reason. */
export const TRICKS: Array<[what: string, text: unknown]> = [
  ['nothing', ''],
  ['blanks', ' \n\t '],
  ['what cannot be seen', '\u200b\u2060\ufeff'],
  ['half a surrogate pair', 'Go \ud83c'],
  ['a pile of accents', `Z${'\u0301'.repeat(40)}`],
  ['a number', 7],
  ['a list', ['Go']],
  ['null', null],
];

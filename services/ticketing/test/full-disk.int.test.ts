import { expect, test } from 'vitest';
import { call, guestKey, onSale, stockOf } from './support.ts';

/** Makes PostgreSQL refuse writes as with a full disk, with the error 53100 (disk_full). Reads still work. */
const FULL = `
  create function no_room() returns trigger language plpgsql as $$
  begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create trigger no_room before insert on events for each statement execute function no_room()`;

test('with a full disk the log refuses writes and reports it while reads work; when there is space again, it continues', async () => {
  const ticketing = await onSale(3);
  const hold = (key: string, quantity = 1) =>
    call(ticketing.url, 'POST', '/api/holds', {
      body: { eventId: 42, quantity },
      headers: { 'idempotency-key': guestKey(`key-of-${key}`) },
    });
  expect((await hold('ann')).status).toBe(201);

  await ticketing.rows(FULL);
  const turnedAway = await Promise.all(['bob', 'cleo'].map((who) => hold(who)));
  for (const { status, body, headers } of turnedAway) {
    expect([status, body.code]).toEqual([503, 'unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await hold('ann')).status).toBe(201); // Ann already holds a ticket, so the repeat writes nothing.
  expect((await hold('dora', 9)).status).toBe(409); // A refused hold writes nothing either.
  expect(await stockOf(ticketing)).toMatchObject({ sold: 0, held: 1 });

  await ticketing.rows('drop trigger no_room on events');
  expect((await hold('bob')).status).toBe(201);
  expect((await hold('bob')).status).toBe(201);
  expect(await stockOf(ticketing)).toMatchObject({ sold: 0, held: 2 });
  expect(
    await ticketing.rows(`select count(*)::int as n, max(version)::int as last from events where stream = 'sale-42'`),
  ).toEqual([{ n: 3, last: 3 }]);
});

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  MailedKind,
  NotificationKind,
  type NotificationChoices,
  type NotificationPage,
  type NotificationPreferences,
} from '@beltway/contracts/realtime/notifications';
import type { Mail } from '@beltway/kit/mail';
import { HttpProblem } from '@beltway/kit/problems';
import { said, eventState, purchase, startBell, type Bell } from './notifications.ts';

const HOUR_MS = 3_600_000;
const sent: Mail[] = [];
let isMailAway = false;
const gone = new Set<number>();
/** Accounts that last used the site in Spanish. */
const hispanophone = new Set<number>();
/** Accounts whose email address is not verified. */
const unverified = new Set<number>();
/** Moves only the clock of mails, because notifications are immediate. */
const time = { ahead: 0 };

let bell: Bell;
beforeAll(
  async () =>
    void (bell = await startBell({
      clock: () => new Date(Date.now() + time.ahead),
      mailer: {
        send: async (mail) => {
          if (isMailAway) throw new Error('the mail server is away');
          sent.push(mail);
        },
      },
      identityClient: {
        post: async () => undefined,
        get: async (path) => {
          const id = Number(path.split('/')[3]);
          if (gone.has(id)) throw new HttpProblem(404, 'not-found.account');
          const isVerified = !unverified.has(id);
          return { email: `account-${id}@example.org`, isVerified, ...(hispanophone.has(id) && { language: 'es' }) };
        },
      },
    })),
);
afterAll(() => bell.close());
const MARGIN_MS = 5_000;
beforeEach(async () => {
  sent.length = 0;
  time.ahead = 0;
  isMailAway = false;
  // Mails are queued for each hour of the database's clock, so the hour must not end during a test.
  const left = HOUR_MS - (Date.now() % HOUR_MS);
  if (left < MARGIN_MS) await pause(left);
});

let lastId = 500;
const newId = () => ++lastId;
const all = <Kind extends string>(kinds: readonly Kind[], isOn: boolean) =>
  Object.fromEntries(kinds.map((kind) => [kind, isOn])) as Record<Kind, boolean>;
const DEFAULT: NotificationPreferences = {
  page: all(NotificationKind.options, true),
  mail: all(MailedKind.options, false),
  push: all(NotificationKind.options, true),
  isDaily: false,
};
const PREFERENCES = '/api/me/notification-preferences';
const choose = (as: number, changed: NotificationChoices) =>
  bell.call<NotificationPreferences>('PATCH', PREFERENCES, as, changed);
const sold = { ...DEFAULT.mail, 'ticket-sold': true };

/** An event of a new organizer. */
async function organizer(more: NotificationChoices = {}) {
  const [ownerId, eventId] = [newId(), newId()];
  await choose(ownerId, more);
  await bell.hear(said('catalog.event-published', `event-${eventId}`, eventState(eventId, { ownerId })));
  return { ownerId, eventId };
}
const sell = async (eventId: number, count = 1) => {
  // Sales are counted for each hour of the clock, and the next hour may begin between two of them.
  const occurredAt = new Date().toISOString();
  for (let n = 0; n < count; n++) await bell.hear(purchase(eventId, null, { quantity: 1, occurredAt }));
  await bell.settled();
};
/** Sends the mails that are due when this much time has passed. */
async function mailsAfter(ms: number): Promise<Mail[]> {
  const passed = ms - time.ahead;
  time.ahead = ms;
  await bell.passTime('notification-mail', passed);
  await bell.sendMails();
  return sent;
}
const waiting = async (userId: number) =>
  (
    await bell.pool.query<{ status: string; attempts: number }>(
      `select status, attempts from jobs where queue = 'notification-mail' and key like $1 || '/%'`,
      [userId],
    )
  ).rows;
const pathOf = (mail: Mail) => {
  const url = new URL(mail.unsubscribeUrl!);
  return url.pathname + url.search;
};

test('an account gets mail in its language, and the site shows notifications in the language of the page', async () => {
  const { ownerId, eventId } = await organizer({ mail: sold });
  hispanophone.add(ownerId);
  await sell(eventId);
  const [mail] = await mailsAfter(2 * HOUR_MS);
  expect(mail).toMatchObject({ to: `account-${ownerId}@example.org`, subject: '1 boleto vendido para Go-Go Night' });
  expect(mail!.text).toContain('Los compradores pagaron $25.00.');
  expect(mail!.text).toContain('No recibir más correos sobre los boletos que vendes: ');
  expect(mail!.html).toContain('<html lang="es">');
  const titleIn = async (language: string) => {
    const headers = {
      authorization: `Bearer ${await bell.tokenOf({ id: ownerId })}`,
      'accept-language': language,
    };
    const answer = await fetch(`${bell.url}/api/me/notifications`, { headers });
    return ((await answer.json()) as NotificationPage).items[0]?.title;
  };
  expect([await titleIn('es'), await titleIn('en'), await titleIn('fr')]).toEqual([
    '1 boleto vendido para Go-Go Night',
    '1 ticket sold for Go-Go Night',
    '1 ticket sold for Go-Go Night',
  ]);
});

describe('the preferences of an account', () => {
  test('are by default: all kinds on the page, and no mails', async () => {
    const as = newId();
    expect(await bell.call('GET', PREFERENCES, as)).toEqual({ status: 200, body: DEFAULT });
    const chosen = { ...DEFAULT, isDaily: true, mail: sold };
    const changed = { isDaily: true, mail: { 'ticket-sold': true } };
    for (let n = 0; n < 2; n++)
      expect(await bell.call('PATCH', PREFERENCES, as, changed)).toEqual({ status: 200, body: chosen });
    expect(await bell.call('GET', PREFERENCES, as)).toEqual({ status: 200, body: chosen });
    const off = { page: { 'refund-sent': false }, push: { 'refund-sent': false, 'ticket-bought': true } };
    await bell.call('PATCH', PREFERENCES, as, off);
    expect((await bell.call('PATCH', PREFERENCES, as, { page: { 'refund-sent': true }, isDaily: false })).body).toEqual(
      {
        ...{ ...chosen, isDaily: false, push: { ...DEFAULT.push, 'refund-sent': false } },
      },
    );
    expect(await bell.call('GET', PREFERENCES, newId())).toEqual({ status: 200, body: DEFAULT });
  });

  test('take effect immediately: a disabled kind no longer notifies until it is enabled again', async () => {
    const off = { ...DEFAULT.page, 'ticket-sold': false };
    const { ownerId, eventId } = await organizer({ page: off });
    await sell(eventId);
    expect(await bell.unread(ownerId)).toBe(0);
    expect(await bell.list(ownerId)).toMatchObject({ items: [] });
    await choose(ownerId, { page: { 'ticket-sold': true } });
    await sell(eventId);
    expect(await bell.unread(ownerId)).toBe(1);
  });

  test.each([
    [{ page: { 'ticket-lost': true } }],
    [{ mail: { 'ticket-bought': true } }],
    [{ push: { 'ticket-sold': 1 } }],
    [{ isDaily: 'yes' }],
    [{ more: 1 }],
    [[]],
  ])('are refused: %j', async (body) => {
    expect(await bell.call('PATCH', PREFERENCES, newId(), body)).toMatchObject({
      status: 400,
      body: { errors: expect.any(Array) },
    });
  });

  test('need a token', async () => {
    expect(await bell.call('GET', PREFERENCES)).toMatchObject({ status: 401 });
    expect(await bell.call('PATCH', PREFERENCES, undefined, DEFAULT)).toMatchObject({ status: 401 });
  });
});

describe('a mail', () => {
  test('is sent once, when the hour is over, with everything counted in it', async () => {
    const { ownerId, eventId } = await organizer({ mail: sold });
    await sell(eventId, 3);
    expect(await mailsAfter(0)).toEqual([]);
    expect(await mailsAfter(2 * HOUR_MS)).toMatchObject([
      {
        to: `account-${ownerId}@example.org`,
        unsubscribeUrl: expect.stringContaining('/api/notifications/unsubscribe?token='),
      },
    ]);
    const [mail] = sent;
    expect(mail!.text).toContain(`https://beltway.test/dashboard/events/${eventId}`);
    const { items } = await bell.list(ownerId);
    expect(mail!.subject).toBe(items[0]!.title);
    await sell(eventId);
    await mailsAfter(2 * HOUR_MS);
    expect(sent.filter(({ id }) => id === mail!.id)).toHaveLength(1);
  });

  test('is not sent if the notification was read or turned off before, or if the account no longer exists', async () => {
    const three = [await organizer({ mail: sold }), await organizer({ mail: sold }), await organizer({ mail: sold })];
    for (const { eventId } of three) await sell(eventId);
    const [reads, leaves, isGone] = three.map(({ ownerId }) => ownerId) as [number, number, number];
    const { items } = await bell.list(reads);
    await bell.call('PUT', `/api/me/notifications/${items[0]!.id}/read`, reads);
    await choose(leaves, { mail: { 'ticket-sold': false } });
    gone.add(isGone);
    expect(await mailsAfter(2 * HOUR_MS)).toEqual([]);
    for (const { ownerId } of three) expect(await waiting(ownerId)).toMatchObject([{ status: 'done' }]);
  });

  test('is retried under the same id when the mail server is down', async () => {
    const { ownerId, eventId } = await organizer({ mail: sold });
    await sell(eventId);
    isMailAway = true;
    expect(await mailsAfter(2 * HOUR_MS)).toEqual([]);
    expect(await waiting(ownerId)).toEqual([{ status: 'waiting', attempts: 1 }]);
    isMailAway = false;
    expect(await mailsAfter(4 * HOUR_MS)).toHaveLength(1);
    expect(await mailsAfter(6 * HOUR_MS)).toHaveLength(1);
    expect(await waiting(ownerId)).toMatchObject([{ status: 'done' }]);
  });

  test('is also sent for a kind that is not shown on the page', async () => {
    const { ownerId, eventId } = await organizer({ mail: sold, page: { ...DEFAULT.page, 'ticket-sold': false } });
    await sell(eventId);
    expect(await mailsAfter(2 * HOUR_MS)).toHaveLength(1);
    expect(await bell.unread(ownerId)).toBe(0);
  });

  test('is sent only to a verified email address, because titles and names are written by strangers', async () => {
    const { ownerId, eventId } = await organizer({ mail: sold });
    unverified.add(ownerId);
    await sell(eventId);
    expect(await mailsAfter(2 * HOUR_MS)).toEqual([]);
    expect(await bell.unread(ownerId)).toBe(1);
  });

  test('escapes text of organizers', async () => {
    const { ownerId, eventId } = await organizer({ mail: sold });
    const state = eventState(eventId, { ownerId, version: 2, title: '<script>x</script>' });
    await bell.hear(said('catalog.event-updated', `event-${eventId}`, state));
    await sell(eventId);
    const [mail] = await mailsAfter(2 * HOUR_MS);
    expect(mail!.html).not.toContain('<script>');
  });
});

describe('the link of a mail', () => {
  test('unsubscribes from its kind without an access token when a mail program posts it; a repeat changes nothing', async () => {
    const both = { ...sold, 'comment-answered': true };
    const { ownerId, eventId } = await organizer({ mail: both });
    await sell(eventId);
    const [mail] = await mailsAfter(2 * HOUR_MS);
    for (let n = 0; n < 2; n++) {
      const response = await fetch(bell.url + pathOf(mail!), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      });
      expect(response.status).toBe(204);
    }
    const { body } = await bell.call<NotificationPreferences>('GET', PREFERENCES, ownerId);
    expect(body.mail).toEqual({ ...both, 'ticket-sold': false });
    // A page loaded earlier sends only the changed settings.
    await choose(ownerId, { page: { 'refund-sent': false } });
    expect((await bell.call<NotificationPreferences>('GET', PREFERENCES, ownerId)).body.mail).toEqual(body.mail);
    expect((await fetch(bell.url + pathOf(mail!))).status).toBe(404);
  });

  test('does not unsubscribe another account, and is refused if it was tampered with', async () => {
    const [one, other] = [await organizer({ mail: sold }), await organizer({ mail: sold })];
    await sell(one.eventId);
    const [mail] = await mailsAfter(2 * HOUR_MS);
    const path = pathOf(mail!);
    for (const forged of [
      path.replace(`${one.ownerId}.`, `${other.ownerId}.`),
      path.replace('ticket-sold', 'daily'),
      path.slice(0, -1),
      '/api/notifications/unsubscribe?token=x',
      `/api/notifications/unsubscribe?token=${'x'.repeat(300)}`,
      '/api/notifications/unsubscribe',
    ])
      expect(await bell.call('POST', forged)).toMatchObject({ status: 400, body: { errors: [{ field: 'token' }] } });
    for (const { ownerId } of [one, other]) {
      const { body } = await bell.call<NotificationPreferences>('GET', PREFERENCES, ownerId);
      expect(body.mail['ticket-sold']).toBe(true);
    }
  });
});

describe('the daily mail', () => {
  /** The time until the next 8:30 in New York at which the daily mail includes everything until now. */
  function untilMorning(): number {
    const hour = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', hour: 'numeric', hourCycle: 'h23' });
    const atHalfPast = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS / 2;
    for (let hours = 1; ; hours++)
      if (Number(hour.format(new Date(atHalfPast + hours * HOUR_MS))) === 8)
        return atHalfPast + hours * HOUR_MS - Date.now();
  }

  test('is sent once in the morning in New York, with unread notifications; its link unsubscribes', async () => {
    const { ownerId, eventId } = await organizer({ mail: sold, isDaily: true });
    const quiet = await organizer({ mail: sold, isDaily: true });
    await sell(eventId, 2);
    const morning = untilMorning();
    expect(await mailsAfter(morning - HOUR_MS)).toEqual([]);
    await mailsAfter(morning);
    await mailsAfter(morning + HOUR_MS);
    const own = sent.filter(({ to }) => to === `account-${ownerId}@example.org`);
    expect(own).toMatchObject([{ subject: 'Your day on Beltway' }]);
    expect(own[0]!.text).toContain('2 tickets sold for Go-Go Night');
    expect(sent.filter(({ to }) => to === `account-${quiet.ownerId}@example.org`)).toEqual([]);
    expect(await bell.call('POST', pathOf(own[0]!))).toMatchObject({ status: 204 });
    const { body } = await bell.call<NotificationPreferences>('GET', PREFERENCES, ownerId);
    expect(body.mail).toEqual(DEFAULT.mail);
  });
});

import { linesOf } from '@beltway/contracts/testing/lines';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { transaction } from '@beltway/kit/postgres';
import { followErasures } from '../src/engagement/checks.ts';
import { noteReturn, noteTickets, saveEvent } from '../src/engagement/copies.ts';
import { followAttendance } from '../src/engagement/referral/rewards.ts';
import { rebuild } from '../src/rebuild.ts';
import { sweep } from '../src/jobs.ts';
import {
  PASSWORD,
  admin,
  checkAll,
  databases,
  identity,
  later,
  newEmail,
  register,
  type Identity,
  type SignedIn,
} from './support.ts';

/** Later than the real time of the registrations, and before the events. */
const NOW = new Date('2099-03-22T17:00:00.000Z');
const envelope = { id: randomUUID(), key: 'k', occurredAt: NOW.toISOString(), correlationId: 'c', causationId: 'c' };
const published = (eventId: number, eventDate: string, ownerId: number) =>
  ({
    ...envelope,
    type: 'catalog.event-published',
    version: 1,
    data: {
      ...{ eventId, version: 1, ownerId, title: 'Go-Go on the Roof', location: 'Bethesda, MD', imageUrl: null },
      ...{ eventDate, eventStartTime: '19:00', eventEndTime: '22:00', description: '', tags: ['Music'] },
      ...{
        hasTickets: true,
        salesEnabled: true,
        salesStart: null,
        salesEnd: null,
        priceCents: 1_000,
        capacity: 10,
        refundDeadlineHours: 24,
      },
    },
  }) as const;

async function setUp() {
  const on = await databases();
  const clock = () => NOW;
  const service = await identity({ on, clock });
  const rewards = followAttendance(service.store, service);
  const erasures = followErasures(service.store, service);
  later(() => Promise.all([rewards.stop(), erasures.stop()]));
  const ann = await register(service, { name: 'Ann' });
  const list = async (who: SignedIn, query = '') =>
    (await service.call('GET', `/api/referrals${query}`, { token: who.token })).json;
  const code = (await list(ann)).code as string;
  const points = async (who: SignedIn) =>
    (await service.call('GET', `/api/users/${who.user.id}/stats`, { token: who.token })).json.totalPoints as number;
  const heard = (effect: (tx: never) => Promise<void>) => transaction(service.pool, (tx) => effect(tx as never));
  const settle = async () => {
    await checkAll({ ...service, clock });
    await rewards.caughtUp();
  };
  const orders = new Map<string, string>();
  /** Gives the account a ticket for the event. */
  async function attend(who: SignedIn, eventId = 7, day = '2099-03-20', ownerId = 1_000): Promise<void> {
    const orderId = randomUUID();
    orders.set(`${who.user.id} ${eventId}`, orderId);
    const bought = { orderId, eventId, quantity: 1, lines: linesOf(1, 1_000), totalCents: 1_000 };
    const data = { ...bought, paymentId: 'pi_1', buyerId: who.user.id };
    await heard((tx) => saveEvent(published(eventId, `${day}T05:00:00.000Z`, ownerId), tx));
    await heard((tx) => noteTickets({ ...envelope, type: 'ticketing.ticket-purchased', version: 1, data }, tx));
    await settle();
  }
  async function giveBack(who: SignedIn, eventId = 7): Promise<void> {
    const orderId = orders.get(`${who.user.id} ${eventId}`)!;
    const of = { orderId, eventId, quantity: 1, paymentId: 'pi_1' };
    const data = { ...of, amountCents: 1_000, reason: 'asked', requestId: null };
    await heard((tx) => noteReturn({ ...envelope, type: 'ticketing.refund-requested', version: 1, data }, tx));
    await settle();
  }
  const rebuilt = async () => {
    for (const { table, before, after } of (await rebuild(on.url)).tables) expect(after, table).toBe(before);
  };
  return { service, ann, code, list, points, attend, giveBack, rebuilt, erasures };
}
const signUp = ({ call }: Identity, body: object, headers = {}) =>
  call('POST', '/api/auth/register', {
    body: { name: 'Bob', email: newEmail(), password: PASSWORD, ...body },
    headers,
  });

test('a referred account brings points once, when it first attends an event; a refund takes them back', async () => {
  const { service, ann, code, list, points, attend, giveBack, rebuilt } = await setUp();
  expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{8}$/);
  const bob = await register(service, { name: 'Bob', referralCode: ` ${code.toLowerCase()} ` });
  expect(await list(ann)).toEqual({
    ...{ code, link: `http://localhost:3000/auth?tab=register&ref=${code}`, reward: 50 },
    ...{ rewardedThisMonth: 0, maxPerMonth: 10, nextCursor: null },
    items: [{ person: null, status: 'pending', rewardEarned: 0, rewardedOn: null, createdAt: expect.any(String) }],
  });
  expect((await list(bob)).items).toEqual([]);
  await attend(bob);
  await attend(bob, 8, '2099-03-21');
  expect(await points(ann)).toBe(50);
  expect((await list(ann)).items).toMatchObject([{ status: 'rewarded', rewardEarned: 50, rewardedOn: '2099-03-20' }]);
  const why = await service.call('GET', `/api/users/${ann.user.id}/points`, { token: ann.token });
  expect(why.json.items).toMatchObject([
    { kind: 'referral', points: 50, reason: 'Someone you invited attended their first event', eventId: null },
  ]);
  await rebuilt();
  await giveBack(bob);
  expect((await list(ann)).items).toMatchObject([{ status: 'rewarded', rewardedOn: '2099-03-21' }]);
  await giveBack(bob, 8);
  expect(await points(ann)).toBe(0);
  const back = await service.call('GET', `/api/users/${ann.user.id}/points`, { token: ann.token });
  expect(back.json.items).toMatchObject([{ kind: 'referral', points: 50, takenBack: { why: 'not-referred' } }]);
  expect((await list(ann)).items).toMatchObject([{ status: 'pending', rewardEarned: 0 }]);
  await rebuilt();
});

test('referred accounts that attend the referrer’s own events bring no points', async () => {
  const { ann, code, service, points, attend, giveBack, rebuilt } = await setUp();
  const bob = await register(service, { name: 'Bob', referralCode: code }, { 'x-forwarded-for': '198.51.100.2' });
  await attend(bob, 7, '2099-03-20', ann.user.id);
  await attend(bob, 8, '2099-03-20', ann.user.id);
  expect([await points(ann), await points(bob)]).toEqual([0, 40]);
  await attend(bob, 9, '2099-03-21');
  expect([await points(ann), await points(bob)]).toEqual([50, 60]);
  await giveBack(bob, 9);
  expect(await points(ann)).toBe(0);
  await rebuilt();
});

test('referred accounts with the organizer’s network or browser earn nothing at the organizer’s events', async () => {
  const { ann, code, service, points, attend } = await setUp();
  const twin = await register(service, { referralCode: code });
  const { json } = await service.call('POST', '/api/auth/register', {
    body: { name: 'Eve', email: newEmail(), password: PASSWORD, referralCode: code },
    ...{ headers: { 'x-forwarded-for': '198.51.100.3' }, device: ann.device },
  });
  const friend = await register(service, { referralCode: code }, { 'x-forwarded-for': '198.51.100.2' });
  const stranger = await register(service);
  for (const who of [twin, json as SignedIn, friend, stranger]) await attend(who, 7, '2099-03-20', ann.user.id);
  // The reverse case: the referrer attends an event organized by the referred account.
  await attend(ann, 8, '2099-03-20', twin.user.id);
  const all = await Promise.all([twin, json as SignedIn, friend, stranger, ann].map(points));
  expect(all).toEqual([0, 0, 20, 20, 0]);
});

test('events that were attended before registration bring no points', async () => {
  const { service, ann, code, points, attend } = await setUp();
  const bob = await register(service, { referralCode: code });
  await attend(bob, 7, '2020-03-21');
  expect(await points(bob)).toBe(20);
  expect(await points(ann)).toBe(0);
});

test('a referrer’s name is shown only if the referrer chose to be visible and is not suspended', async () => {
  const { service, ann, code, list } = await setUp();
  const bob = await register(service, { name: 'Bob', referralCode: code });
  await service.call('PATCH', '/api/users/me/engagement', { token: bob.token, body: { isVisible: true } });
  expect((await list(ann)).items[0].person).toEqual({ userId: bob.user.id, name: 'Bob' });
  await service.rows('update users set suspended_at = now() where id = $1', [bob.user.id]);
  expect((await list(ann)).items[0].person).toBeNull();
});

test('an unknown or malformed code does not prevent registration, and no account is the referrer', async () => {
  const { service, ann, code, list } = await setUp();
  for (const referralCode of [
    '22222222',
    '',
    'x',
    '<script>alert(1)</script>',
    "' or 1=1 --",
    '9'.repeat(9_000),
    '\u0000',
  ])
    expect((await signUp(service, { referralCode })).status, referralCode.slice(0, 30)).toBe(201);
  expect((await signUp(service, { referralCode: 5 })).json.errors).toEqual([
    { field: 'referralCode', message: 'must be text', text: 'invalid.text' },
  ]);
  expect(await service.rows('select from referrals')).toEqual([]);
  expect((await list(ann)).items).toEqual([]);
  const found = (text: string) => service.call('GET', `/api/referral-codes/${encodeURIComponent(text)}`);
  expect((await found(code.toLowerCase())).json).toEqual({ code });
  const none = await Promise.all(['22222222', 'x', '%00', '<script>'].map(found));
  expect(none.map(({ status, text }) => [status, text.includes('Ann')])).toEqual(none.map(() => [404, false]));
  await service.rows('update users set suspended_at = now() where id = $1', [ann.user.id]);
  expect((await found(code)).status).toBe(404);
});

test('accounts cannot refer themselves or each other', async () => {
  const { service, ann, code, list } = await setUp();
  const again = await signUp(service, { email: ann.email, referralCode: code });
  expect(again.json.code).toBe('email-taken');
  // Repeats the registration, now with the referral code of the registered account.
  const key = { 'idempotency-key': randomUUID() };
  const [email, name] = [newEmail(), 'Cid'];
  const cid = { ...(await signUp(service, { email, name }, key)).json } as SignedIn;
  const own = await signUp(service, { email, name, referralCode: (await list(cid)).code }, key);
  expect(own.status).toBe(422);
  const bob = await register(service, { referralCode: code });
  const loop = await signUp(service, { email: ann.email, name: 'Ann', referralCode: (await list(bob)).code });
  expect(loop.json.code).toBe('email-taken');
  expect(await service.rows('select referred_id as bob, referrer_id as ann from referrals')).toEqual([
    { bob: bob.user.id, ann: ann.user.id },
  ]);
});

test('two concurrent registrations through two links count once, and so does a repeated registration', async () => {
  const { service, ann, code, list } = await setUp();
  const dan = await register(service);
  const email = newEmail();
  const both = await Promise.all(
    [code, (await list(dan)).code].map((one) => signUp(service, { email, referralCode: one })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  expect(await service.rows('select from referrals')).toHaveLength(1);
  const key = { 'idempotency-key': randomUUID() };
  const body = { email: newEmail(), referralCode: code };
  const twice = await Promise.all([signUp(service, body, key), signUp(service, body, key)]);
  expect(twice.map(({ status }) => status)).toEqual([201, 201]);
  expect(await service.rows('select from referrals')).toHaveLength(2);
  expect((await list(ann)).items.length + (await list(dan)).items.length).toBe(2);
});

test('an eleventh referral in a month brings nothing until one of the ten is taken back; pages are complete', async () => {
  const { service, ann, code, list, points, attend, giveBack, rebuilt } = await setUp();
  const people: SignedIn[] = [];
  for (let n = 0; n < 11; n++) people.push(await register(service, { referralCode: code }));
  for (const [at, one] of people.entries()) await attend(one, 100 + at, '2099-02-20');
  expect(await points(ann)).toBe(500);
  expect((await list(ann, '?limit=1')).items).toMatchObject([{ status: 'over-limit', rewardEarned: 0 }]);
  expect(await list(ann)).toMatchObject({ rewardedThisMonth: 0, maxPerMonth: 10 });
  await giveBack(people[4]!, 104);
  expect(await points(ann)).toBe(500);
  people.push(await register(service, { referralCode: code }));
  await attend(people.at(-1)!, 200);
  expect(await points(ann)).toBe(550);
  expect(await list(ann)).toMatchObject({ rewardedThisMonth: 1 });
  const statuses: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { items: { status: string }[]; nextCursor: string | null } = await list(
      ann,
      `?limit=4${cursor && `&cursor=${cursor}`}`,
    );
    statuses.push(...page.items.map(({ status }) => status));
    cursor = page.nextCursor;
  }
  expect(statuses).toEqual(people.map((_, at) => (at === 7 ? 'pending' : 'rewarded')));
  expect((await list(ann, '?cursor=x')).code).toBe('bad-cursor');
  expect((await list(ann, '?limit=1000')).errors[0].field).toBe('limit');
  await rebuilt();
});

test('the referrer’s reward outlives the referred account; erasing the referrer deletes all rows', async () => {
  const { service, ann, code, list, points, attend, rebuilt, erasures } = await setUp();
  const [bob, cid] = [await register(service, { referralCode: code }), await register(service, { referralCode: code })];
  await attend(bob);
  const leave = async (who: SignedIn) => {
    const body = { password: PASSWORD };
    expect((await service.call('DELETE', '/api/users/me', { token: who.token, body })).status).toBe(204);
    await erasures.caughtUp();
  };
  await leave(bob);
  await leave(cid);
  expect(await points(ann)).toBe(50);
  expect((await list(ann)).items).toMatchObject([{ status: 'rewarded', person: null }]);
  const dan = await register(service, { referralCode: code });
  await rebuilt();
  await leave(ann);
  expect((await service.call('GET', '/api/referrals', { token: ann.token })).status).toBe(401);
  expect((await service.call('GET', `/api/referral-codes/${code}`)).status).toBe(404);
  for (const table of ['referrals', 'counted_facts', 'referral_hints'])
    expect(await service.rows(`select from ${table}`), table).toEqual([]);
  expect(await service.rows('select user_id from signup_networks')).toEqual([{ user_id: dan.user.id }]);
  expect(await service.rows('select from referral_codes')).toEqual([]);
  await attend(dan, 9);
  expect(await points(dan)).toBe(20);
  expect(await service.rows('select from counted_facts')).toHaveLength(1);
  await rebuilt();
});

test('admins see referrals from one network or browser; networks are stored as digests for 90 days', async () => {
  const { service, ann, code } = await setUp();
  const chief = await admin(service);
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const far = await register(service, { name: 'Far', referralCode: code }, from('203.0.113.9'));
  const near = await register(service, { name: 'Near', referralCode: code });
  const answer = await service.call('POST', '/api/auth/register', {
    body: { name: 'Same', email: newEmail(), password: PASSWORD, referralCode: code },
    device: ann.device,
    headers: from('203.0.113.77'),
  });
  const flagged = async (who: SignedIn, query = '') =>
    service.call('GET', `/api/referrals/flagged${query}`, { token: who.token });
  expect((await flagged(ann)).status).toBe(403);
  expect((await service.call('GET', '/api/referrals/flagged')).status).toBe(401);
  const referrer = { userId: ann.user.id, name: 'Ann' };
  const expected = [
    { referrer, referred: { userId: answer.json.user.id, name: 'Same' }, hints: ['same-device'], status: 'pending' },
    { referrer, referred: { userId: near.user.id, name: 'Near' }, hints: ['same-network'], status: 'pending' },
  ];
  const first = await flagged(chief, '?limit=1');
  const second = await flagged(chief, `?limit=1&cursor=${first.json.nextCursor}`);
  expect([...first.json.items, ...second.json.items]).toMatchObject(expected);
  expect(second.json.nextCursor).toBeNull();
  // Another account registers with the same link, from the network of an earlier account.
  await register(service, { name: 'Further', referralCode: code }, from('203.0.113.9'));
  expect((await flagged(chief)).json.items[0]).toMatchObject({
    referred: { name: 'Further' },
    hints: ['same-network'],
  });
  const stored = JSON.stringify(await service.rows('select * from signup_networks where user_id = $1', [far.user.id]));
  expect(stored).not.toContain('203.0.113');
  await service.rows(`update signup_networks set noted_at = now() - interval '91 days'`);
  await service.rows(`update referral_hints set noted_at = now() - interval '91 days'`);
  await sweep(service.pool);
  expect(await service.rows('select from signup_networks')).toEqual([]);
  expect((await flagged(chief)).json.items).toEqual([]);
});

test('one IP address may try sixty codes and then has to wait', async () => {
  const { service } = await setUp();
  const guesses = await Promise.all(
    Array.from({ length: 61 }, () => service.call('GET', '/api/referral-codes/22222222')),
  );
  expect(guesses.filter(({ status }) => status === 404)).toHaveLength(60);
  expect(guesses.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(/^\d+$/);
});

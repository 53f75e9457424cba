import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ModerationPage, OwnCases, type ModerationCase } from '@beltway/contracts/identity/moderation';
import { HttpProblem } from '@beltway/kit/problems';
import { eventually } from '@beltway/kit/testing';
import { endSessionsOfSuspended } from '../src/session/end-sessions.ts';
import { followDecisions } from '../src/moderation/authors.ts';
import { rebuild } from '../src/rebuild.ts';
import { endSuspensions } from '../src/user/suspension.ts';
import { accountMails } from './account-mails.ts';
import { INTERNAL_TOKEN, PASSWORD, admin, identity, later, movableClock, register, type Identity } from './support.ts';

/** Starts the service with a stub of realtime that has comments. */
async function moderated(options: Parameters<typeof identity>[0] = {}) {
  const there = new Map<string, { authorId: number; excerpt: string; path: string }>();
  const asked: string[] = [];
  const post = async (path: string): Promise<unknown> => {
    asked.push(path);
    const found = there.get(path.split('/')[4] ?? '');
    if (!found) throw new HttpProblem(404, 'not-found.comment');
    return found;
  };
  const service = await identity({ services: { realtime: { post }, catalog: { post } }, ...options });
  const author = await register(service, { name: 'Ann' });
  there.set('17', { authorId: author.user.id, excerpt: 'Buy <b>now</b>', path: '/event/4#comments' });
  const report = (token: string, change: object = {}) =>
    service.call('POST', '/api/reports', { token, body: { kind: 'comment', id: 17, reason: 'spam', ...change } });
  const act = (token: string, body: object, id = 'comment.17') =>
    service.call('POST', `/api/moderation/${id}/actions`, { token, body: { reason: 'spam', seen: 0, ...body } });
  return { ...service, author, there, asked, report, act };
}

const queue = async (service: Identity, token: string, query = '') =>
  ModerationPage.parse((await service.call('GET', `/api/moderation${query}`, { token })).json).items;
const told = async (service: Identity, type: string) =>
  (await service.told()).filter((message) => message.type === type).map(({ data }) => data);

test('reported content is in the queue, once per account, and only admins can read the queue', async () => {
  const service = await moderated();
  const bob = await register(service);
  const { token } = await admin(service);
  expect((await service.report(bob.token, { note: 'Look' })).status).toBe(204);
  expect((await service.report(bob.token, { reason: 'hate' })).status).toBe(204);
  const items = await queue(service, token);
  expect(items).toMatchObject([
    {
      ...{ id: 'comment.17', kind: 'comment', contentId: '17', state: 'open', standing: 'shown', openReports: 1 },
      ...{ excerpt: 'Buy <b>now</b>', path: '/event/4#comments', seen: 0 },
      author: { id: service.author.user.id, name: 'Ann', isSuspended: false },
      reports: [{ reason: 'spam', note: 'Look' }],
    },
  ]);
  // The reporter stays anonymous.
  expect(JSON.stringify(items)).not.toContain(`"${bob.user.id}"`);
  for (const path of ['/api/moderation', '/api/moderation/comment.17'])
    expect((await service.call('GET', path, { token: bob.token })).status).toBe(403);
  expect((await service.call('GET', '/api/moderation/comment.18', { token })).status).toBe(404);
  expect((await service.call('GET', '/api/moderation/nothing', { token })).status).toBe(404);
  expect((await service.call('POST', '/api/reports', { body: {} })).status).toBe(401);
});

test('missing content and the reporter’s own content cannot be reported; wrong fields are named', async () => {
  const service = await moderated();
  const bob = await register(service);
  expect((await service.report(bob.token, { id: 99 })).status).toBe(404);
  expect((await service.report(service.author.token)).json).toMatchObject({ status: 409, code: 'own-content' });
  const wrong: Array<[object, string]> = [
    [{ kind: 'planet' }, 'kind'],
    [{ id: 0 }, 'id'],
    [{ id: '../../1' }, 'id'],
    [{ id: '7.3' }, 'id'],
    [{ kind: 'message', id: 7 }, 'id'],
    [{ reason: 'dull' }, 'reason'],
    [{ note: 'half\ud800' }, 'note'],
    [{ note: 'x'.repeat(501) }, 'note'],
  ];
  for (const [change, field] of wrong) {
    const { status, json } = await service.report(bob.token, change);
    expect([status, json.errors[0].field], JSON.stringify(change)).toEqual([400, field]);
  }
  expect(await service.rows('select * from moderation_cases')).toEqual([]);
});

test('a report through the service that holds the content enters the same queue; other callers are refused', async () => {
  const service = await moderated();
  const bob = await register(service);
  const { token } = await admin(service);
  const body = { kind: 'message', id: 'region.5', reporterId: bob.user.id, reason: 'abuse', note: 'x' };
  const content = { authorId: null, excerpt: 'Hello', path: '/' };
  const headers = { 'x-internal-token': INTERNAL_TOKEN };
  const send = (given: object) =>
    service.call('POST', '/internal/reports', { body: { ...body, ...content }, ...given });
  expect((await send({})).status).toBe(403);
  expect((await send({ headers })).status).toBe(204);
  expect((await send({ headers })).status).toBe(204);
  expect(await queue(service, token, '?kind=message')).toMatchObject([{ id: 'message.region.5', openReports: 1 }]);
  expect(await queue(service, token, '?kind=photo')).toEqual([]);
  expect((await service.act(token, { action: 'warn' }, 'message.region.5')).json).toMatchObject({ code: 'no-author' });
});

test('services can read the latest reports about their content, and an account can report a changed text again', async () => {
  const service = await moderated();
  const bob = await register(service);
  const headers = { 'x-internal-token': INTERNAL_TOKEN };
  const send = (change: object) =>
    service.call('POST', '/internal/reports', {
      headers,
      body: {
        kind: 'comment',
        id: '17',
        reporterId: bob.user.id,
        reason: 'spam',
        authorId: null,
        excerpt: '',
        path: '/',
        ...change,
      },
    });
  const reports = async () =>
    (
      await service.call('POST', '/internal/reports/of', {
        headers,
        body: { cases: ['comment.17', 'message.region.5'] },
      })
    ).json.items;
  await send({ note: 'First' });
  await send({ reason: 'hate', version: 1 });
  expect(await reports()).toMatchObject([
    { id: '17', reports: [{ reason: 'spam', note: 'First', version: 0 }] },
    { id: 'region.5', reports: [] },
  ]);
  for (const _ of [1, 2]) await send({ reason: 'hate', version: 1, since: 1 });
  expect((await reports())[0]).toMatchObject({ reports: [{ reason: 'hate', note: null, version: 1 }] });
  expect(await told(service, 'identity.content-reported')).toEqual([
    { kind: 'comment', id: '17', reports: 1 },
    { kind: 'comment', id: '17', reports: 2 },
  ]);
  expect((await service.call('POST', '/internal/reports/of', { body: { cases: [] } })).status).toBe(403);
});

test('reports are limited, even concurrent ones: five a day for a new account, thirty for others', async () => {
  const { clock, pass } = movableClock();
  const service = await moderated({ clock });
  const bob = await register(service);
  const reporterId = bob.user.id;
  const headers = { 'x-internal-token': INTERNAL_TOKEN };
  const send = (id: number) =>
    service.call('POST', '/internal/reports', {
      headers,
      body: { kind: 'photo', id: String(id), reporterId, reason: 'spam', authorId: null, excerpt: '', path: '/' },
    });
  const many = await Promise.all(Array.from({ length: 9 }, (_, at) => send(at + 1)));
  expect(many.filter(({ status }) => status === 204)).toHaveLength(5);
  expect(many.filter(({ status }) => status === 429)).toHaveLength(4);
  expect((await service.report(bob.token)).json).toMatchObject({ status: 429, code: 'too-many-reports' });
  // These reports were refused before any service was asked.
  expect(service.asked).toEqual([]);
  await service.rows(`update users set created_at = created_at - interval '3 days' where id = $1`, [reporterId]);
  pass(25 * 3_600);
  const later = await Promise.all(Array.from({ length: 33 }, (_, at) => send(at + 100)));
  expect(later.filter(({ status }) => status === 204)).toHaveLength(30);
});

test('when an admin hides content, its service, the author and the audit log are notified', async () => {
  const service = await moderated();
  const bob = await register(service);
  const { token, user } = await admin(service);
  await service.report(bob.token);
  const { status, json } = await service.act(token, { action: 'hide', note: 'No advertising here.' });
  expect([status, json.state, json.standing, json.seen]).toEqual([200, 'acted', 'hidden', 1]);
  // A repeat gets the same answer, and there is still one decision.
  expect((await service.act(token, { action: 'hide', note: 'No advertising here.' })).status).toBe(200);
  expect(await told(service, 'identity.content-moderated')).toEqual([
    { kind: 'comment', id: '17', action: 'hide', decision: 1, adminId: user.id },
  ]);
  expect(await queue(service, token)).toEqual([]);
  expect(await queue(service, token, '?state=acted')).toMatchObject([
    { decisions: [{ number: 1, action: 'hide', note: 'No advertising here.', admin: 'Ada' }] },
  ]);
  const audit = await service.call('GET', '/api/ops/audit?kind=moderated', { token });
  expect(audit.json.items[0]).toMatchObject({ subject: 'comment.17', note: 'hide', accountId: user.id });
  const mine = await service.call('GET', '/api/moderation/mine', { token: service.author.token });
  const own = OwnCases.parse(mine.json).items;
  expect(own).toMatchObject([{ id: 'comment.17', standing: 'hidden', decisions: [{ action: 'hide' }] }]);
  expect(own[0]?.appealUntil).not.toBeNull();
  expect(mine.text).not.toContain('Ada');
  const others = await service.call('GET', '/api/moderation/mine', { token: bob.token });
  expect(others.json).toEqual({ items: [], nextCursor: null });
});

test('when two admins act concurrently, the second admin gets 409', async () => {
  const service = await moderated();
  const bob = await register(service);
  const [first, second] = [await admin(service), await admin(service)];
  await service.report(bob.token);
  const answers = await Promise.all([
    service.act(first.token, { action: 'hide' }),
    service.act(second.token, { action: 'keep' }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.json.code).toBe('acted-meanwhile');
  expect(await told(service, 'identity.content-moderated')).toHaveLength(1);
});

test('an account that is no longer an admin can decide nothing', async () => {
  const service = await moderated();
  const bob = await register(service);
  const ada = await admin(service);
  await service.report(bob.token);
  await service.rows(`update users set role = 'user' where id = $1`, [ada.user.id]);
  expect((await service.act(ada.token, { action: 'hide' })).status).toBe(403);
  expect(await told(service, 'identity.content-moderated')).toEqual([]);
});

const appeal = (service: Identity, token: string | undefined, body: object, id = 'comment.17') =>
  service.call('POST', `/api/moderation/${id}/appeal`, { token, body: { text: 'It was a joke.', ...body } });
const decide = (service: Identity, token: string, outcome: string) =>
  service.call('POST', '/api/moderation/comment.17/appeal/decision', { token, body: { outcome } });

test('the author appeals once, another admin reverses the decision, and the content is shown again', async () => {
  const service = await moderated();
  const bob = await register(service);
  const [ada, eve] = [await admin(service), await admin(service)];
  await service.report(bob.token);
  await service.act(ada.token, { action: 'hide' });
  expect((await appeal(service, bob.token, {})).status).toBe(404);
  expect((await appeal(service, undefined, {})).status).toBe(401);
  expect((await appeal(service, service.author.token, { text: ' ' })).status).toBe(400);
  expect((await appeal(service, service.author.token, {})).status).toBe(204);
  expect((await appeal(service, service.author.token, {})).status).toBe(204);
  expect((await appeal(service, service.author.token, { text: 'More' })).json.code).toBe('appealed-already');
  expect(await queue(service, ada.token, '?state=appealed')).toMatchObject([
    { actions: [], decisions: [{ appeal: { text: 'It was a joke.', outcome: null } }] },
  ]);
  expect((await decide(service, ada.token, 'reversed')).json.code).toBe('own-decision');
  expect((await decide(service, eve.token, 'reversed')).json).toMatchObject({
    state: 'acted',
    standing: 'shown',
    seen: 2,
  });
  expect((await decide(service, eve.token, 'upheld')).json.code).toBe('no-appeal');
  expect(await told(service, 'identity.content-moderated')).toMatchObject([
    { action: 'hide', decision: 1 },
    { action: 'restore', decision: 2 },
  ]);
});

test('a suspended account is signed out everywhere; the reason is shown only after the right password', async () => {
  const { clock, pass } = movableClock();
  const service = await moderated({ clock });
  const { author, store, pool, sessions, users } = service;
  const follower = endSessionsOfSuspended(store, { pool, sessions });
  later(() => follower.stop());
  const bob = await register(service);
  const { token } = await admin(service);
  await service.report(bob.token);
  expect((await service.act(token, { action: 'suspend', days: 3 })).json.author.isSuspended).toBe(true);
  expect((await service.call('GET', '/api/auth/me', { token: author.token })).status).toBe(401);
  const refreshed = await service.call('POST', '/api/auth/refresh', { cookie: author.cookie });
  expect([401, 403]).toContain(refreshed.status);
  expect(refreshed.cookie).toBe('');
  const login = (password: string) =>
    service.call('POST', '/api/auth/login', { body: { email: author.email, password } });
  expect((await login('not the password')).json.code).toBe('wrong-credentials');
  expect((await login(PASSWORD)).json).toMatchObject({ status: 403, code: 'account-suspended' });
  expect((await login(PASSWORD)).json.detail).toMatch(/suspended until/);
  expect(await told(service, 'identity.user-suspended')).toMatchObject([{ userId: author.user.id, generation: 1 }]);
  await eventually(async () => (await told(service, 'identity.session-revoked')).length === 1);
  const revocations = await service.call('GET', '/internal/revocations', {
    headers: { 'x-internal-token': INTERNAL_TOKEN },
  });
  expect(revocations.json.users).toContainEqual({ userId: author.user.id, generation: 1, isSuspended: true });
  // Replaying the decision from the log changes nothing.
  const again = followDecisions(store, users);
  await again.caughtUp();
  await again.stop();
  expect(await told(service, 'identity.user-suspended')).toHaveLength(1);
  pass(3 * 24 * 3_600 + 1);
  expect((await login(PASSWORD)).status).toBe(200);
});

test('an admin can lift a suspension, and admins cannot be suspended', async () => {
  const service = await moderated();
  const bob = await register(service);
  const [ada, eve] = [await admin(service), await admin(service)];
  await service.report(bob.token);
  await service.act(ada.token, { action: 'suspend' });
  expect((await service.act(eve.token, { action: 'reinstate', seen: 1 })).json.author.isSuspended).toBe(false);
  const body = { email: service.author.email, password: PASSWORD };
  expect((await service.call('POST', '/api/auth/login', { body })).status).toBe(200);
  service.there.set('18', { authorId: eve.user.id, excerpt: 'Mine', path: '/' });
  await service.report(bob.token, { id: 18 });
  expect((await service.act(ada.token, { action: 'suspend' }, 'comment.18')).json.code).toBe('admin-account');
});

test('services are notified of a suspension and of its end, whether its time is over or an admin ends it', async () => {
  const { clock, pass } = movableClock();
  const service = await moderated({ clock });
  const bob = await register(service);
  const { token } = await admin(service);
  await service.report(bob.token);
  await service.act(token, { action: 'suspend', days: 3 });
  const { id: userId } = service.author.user;
  const ending = { ...service, clock };
  const changes = async () => (await told(service, 'identity.suspension-changed')) as Array<{ version: number }>;
  const [first] = await changes();
  expect(first).toMatchObject({ userId, isSuspended: true });
  await endSuspensions(ending);
  expect(await changes()).toHaveLength(1);
  pass(3 * 24 * 3_600 + 1);
  await Promise.all([endSuspensions(ending), endSuspensions(ending)]);
  await endSuspensions(ending);
  expect(await changes()).toEqual([first, { userId, isSuspended: false, version: first!.version + 1 }]);

  const ada = await admin(service);
  await service.act(ada.token, { action: 'suspend', seen: 1 });
  await service.act(ada.token, { action: 'reinstate', seen: 2 });
  expect((await changes()).map(({ version }) => version - first!.version)).toEqual([0, 1, 2, 3]);
});

test('a suspended author can appeal once, with the mailed link', async () => {
  const service = await moderated();
  const mails = accountMails(service);
  const bob = await register(service);
  const ada = await admin(service);
  await service.report(bob.token);
  await service.act(ada.token, { action: 'suspend' });
  const [mail] = await mails.to(service.author.email, 'suspended');
  const [, token = ''] = /\/moderation\/appeal#comment\.17~(\S+)/.exec(mail?.text ?? '') ?? [];
  expect((await appeal(service, undefined, { token: `${token}x` })).json.code).toBe('link-invalid');
  expect((await appeal(service, undefined, { token: `a.1.zzzzzz.${'x'.repeat(43)}` })).json.code).toBe('link-invalid');
  expect((await appeal(service, undefined, { token })).status).toBe(204);
  expect((await appeal(service, undefined, { token, text: 'Again' })).json.code).toBe('appealed-already');
  const eve = await admin(service);
  expect((await decide(service, eve.token, 'reversed')).json.author.isSuspended).toBe(false);
  expect(await mails.to(service.author.email, 'changed our decision')).toHaveLength(1);
});

test('erasing an account deletes its texts, whether it was reporter or author', async () => {
  const service = await moderated();
  const [bob, carol] = [await register(service), await register(service)];
  const { token } = await admin(service);
  await service.report(bob.token, { note: 'secret of Bob' });
  await service.act(token, { action: 'hide' });
  await appeal(service, service.author.token, { text: 'secret of Ann' });
  for (const { user } of [bob, service.author])
    await service.users.handle(user.id, { type: 'EraseUser' }, { commandId: randomUUID() });
  const kept = await Promise.all(
    ['moderation_reports', 'moderation_texts', 'moderation_words', 'moderation_cases', 'events'].map((table) =>
      service.rows(`select * from ${table}`),
    ),
  );
  expect(JSON.stringify(kept)).not.toMatch(/secret of|Buy/);
  expect(await queue(service, token, '?state=appealed')).toMatchObject([
    { excerpt: '', author: { name: null }, reports: [], decisions: [{ appeal: { text: '' } }] },
  ]);
  // Other accounts can still report, and a rebuild results in the same tables.
  expect((await service.report(carol.token)).status).toBe(204);
  for (const { before, after } of (await rebuild(service.settings.DATABASE_URL)).tables) expect(after).toBe(before);
});

test('the queue has pages, and an invalid cursor is refused', async () => {
  const service = await moderated();
  const { token } = await admin(service);
  for (const id of [1, 2, 3]) {
    service.there.set(String(id), { authorId: service.author.user.id, excerpt: `number ${id}`, path: '/' });
    await service.report((await register(service)).token, { id });
  }
  const seen: ModerationCase[] = [];
  let cursor = '';
  for (let pages = 0; pages < 3; pages++) {
    const { json } = await service.call('GET', `/api/moderation?limit=1${cursor}`, { token });
    seen.push(...ModerationPage.parse(json).items);
    cursor = `&cursor=${json.nextCursor}`;
    if (pages === 2) expect(json.nextCursor).toBeNull();
  }
  expect(seen.map(({ id }) => id)).toEqual(['comment.3', 'comment.2', 'comment.1']);
  for (const query of ['?cursor=x', '?limit=0', '?state=none', '?kind=planet'])
    expect((await service.call('GET', `/api/moderation${query}`, { token })).status, query).toBe(400);
});

test('an account can be reported by number, warned and suspended, but neither itself nor a missing one', async () => {
  const service = await moderated();
  const { author } = service;
  const bob = await register(service);
  const { token } = await admin(service);
  const report = (by: string, id: number) => service.report(by, { kind: 'account', id });
  expect((await report(bob.token, author.user.id)).status).toBe(204);
  expect((await report(author.token, author.user.id)).json).toMatchObject({ status: 409, code: 'own-content' });
  expect((await report(bob.token, 999_999)).status).toBe(404);
  const caseId = `account.${author.user.id}`;
  const [found] = await queue(service, token, '?kind=account');
  expect(found).toMatchObject({
    ...{ id: caseId, excerpt: 'Ann', path: `/u/${author.user.id}`, actions: ['keep', 'warn', 'suspend'] },
    author: { id: author.user.id },
  });
  expect((await service.act(token, { action: 'hide' }, caseId)).json).toMatchObject({ code: 'not-for-this-kind' });
  expect((await service.act(token, { action: 'suspend', days: 7 }, caseId)).json.author.isSuspended).toBe(true);
  expect(await told(service, 'identity.suspension-changed')).toMatchObject([
    { userId: author.user.id, isSuspended: true },
  ]);
});

test('events and ads are reported to catalog; only ads have a UUID as their id', async () => {
  const service = await moderated();
  const bob = await register(service);
  const { token } = await admin(service);
  const ad = randomUUID();
  service.there.set('4', { authorId: service.author.user.id, excerpt: 'Free iPads', path: '/event/4' });
  service.there.set(ad, { authorId: null as never, excerpt: 'Sale', path: '/' });
  expect((await service.report(bob.token, { kind: 'event', id: 4 })).status).toBe(204);
  expect((await service.report(bob.token, { kind: 'ad', id: ad })).status).toBe(204);
  expect(service.asked).toEqual(['/internal/content/event/4', `/internal/content/ad/${ad}`]);
  for (const wrong of [
    { kind: 'ad', id: 4 },
    { kind: 'event', id: ad },
    { kind: 'account', id: ad },
    { kind: 'ad', id: ad.toUpperCase() },
    { kind: 'message', id: ad },
  ])
    expect((await service.report(bob.token, wrong)).status, JSON.stringify(wrong)).toBe(400);
  const hidden = await service.act(token, { action: 'hide' }, `ad.${ad}`);
  expect(hidden.json).toMatchObject({ standing: 'hidden', author: null });
  expect(await told(service, 'identity.content-moderated')).toMatchObject([{ kind: 'ad', id: ad, action: 'hide' }]);
  // The catalog accepts a further report only for new content, and the new content can be hidden too.
  service.there.set(ad, { authorId: null as never, excerpt: 'Another sale', path: '/' });
  expect((await service.report(bob.token, { kind: 'ad', id: ad })).status).toBe(204);
  expect(await queue(service, token, '?kind=ad')).toMatchObject([{ standing: 'shown', excerpt: 'Another sale' }]);
  expect((await service.act(token, { action: 'hide', seen: 1 }, `ad.${ad}`)).json.standing).toBe('hidden');
  for (const { table, before, after } of (await rebuild(service.settings.DATABASE_URL)).tables)
    expect(after, table).toBe(before);
});

test('after a decision the same account can report once more', async () => {
  const service = await moderated();
  const bob = await register(service);
  const { token } = await admin(service);
  await service.report(bob.token, { note: 'First' });
  await service.act(token, { action: 'keep' });
  expect(await queue(service, token)).toEqual([]);
  const again = () => service.report(bob.token, { note: 'It goes on' });
  expect((await Promise.all([again(), again()])).map(({ status }) => status)).toEqual([204, 204]);
  expect(await queue(service, token)).toMatchObject([{ openReports: 1, reports: [{ note: 'It goes on' }] }]);
  expect(await told(service, 'identity.content-reported')).toEqual([
    { kind: 'comment', id: '17', reports: 1 },
    { kind: 'comment', id: '17', reports: 2 },
  ]);
});

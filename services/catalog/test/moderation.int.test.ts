import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommentPage, CommentThread, ModeratedComments } from '@beltway/contracts/catalog/comments';
import { eventually } from '@beltway/kit/testing';
import { INTERNAL_TOKEN, startCatalog, type Catalog } from './catalog.ts';

const [organiser, admin] = [{ id: 1 }, { id: 9, role: 'admin' as const }];
let catalog: Catalog;
let eventId: number;
beforeAll(async () => {
  catalog = await startCatalog();
  eventId = (await catalog.publish(organiser)).id;
});
afterAll(() => catalog.close());

let lastId = 2_000;
async function said(text: string) {
  const author = { id: ++lastId };
  const path = `/api/events/${eventId}/comments`;
  const { status, body } = await catalog.call<CommentThread>('POST', path, { as: author, body: { text } });
  expect(status).toBe(201);
  return { id: body.id, author };
}
const shown = async () =>
  (await catalog.call<CommentPage>('GET', `/api/events/${eventId}/comments`)).body.items.map(({ text }) => text);
const reported = async (status = 'open') =>
  (await catalog.call<ModeratedComments>('GET', `/api/comments/reported?status=${status}`, { as: admin })).body.items;

/** Identity says what an admin decided; resolves when it was dealt with. */
async function decide(id: number | string, action: string, decision: number, messageId: string = randomUUID()) {
  await catalog.bus.publish('identity.events', [
    {
      ...{ id: messageId, type: 'identity.content-moderated', version: 1, key: `case-comment.${id}` },
      ...{ occurredAt: new Date().toISOString(), correlationId: messageId, causationId: messageId },
      data: { kind: 'comment', id: String(id), action, decision, adminId: 9 },
    },
  ]);
  await eventually(async () =>
    Object.values(await catalog.bus.lag('catalog.moderation', ['identity.events'])).every((lag) => lag === 0),
  );
}
const parked = () => catalog.bus.replay('catalog.moderation.dead-letters', () => Promise.reject(new Error('parked')));

test('a report by identity is written down here as well, and says what it is of', async () => {
  const { id, author } = await said('Buy it <b>now</b>');
  const write = (of: number, body: object, headers: object = { 'x-internal-token': INTERNAL_TOKEN }) =>
    catalog.call('POST', `/internal/content/comment/${of}/reports`, {
      body: { reporterId: 77, reason: 'hate', ...body },
      headers: headers as Record<string, string>,
    });
  expect((await write(id, {}, {})).status).toBe(403);
  expect((await write(id, { note: 'Look' })).body).toEqual({
    ...{ authorId: author.id, excerpt: 'Buy it <b>now</b>', path: `/event/${eventId}#comments` },
  });
  expect((await reported())[0]).toMatchObject({ id, reports: [{ reason: 'abuse', note: 'Look' }] });
  expect((await write(id, { reporterId: author.id })).status).toBe(409);
  expect((await write(999_999, {})).status).toBe(404);
});

test('a report by our own call goes into the queue of admins', async () => {
  const { id, author } = await said('Spam');
  const report = { as: { id: 78 }, body: { reason: 'spam' } };
  for (const _ of [1, 2]) expect((await catalog.call('POST', `/api/comments/${id}/report`, report)).status).toBe(204);
  expect(catalog.queued.at(-1)).toMatchObject({
    ...{ kind: 'comment', id: String(id), reporterId: 78, reason: 'spam', authorId: author.id, excerpt: 'Spam' },
  });
  await catalog.call('POST', `/api/comments/${id}/report`, { ...report, as: author });
  expect(catalog.queued).toHaveLength(2);
});

test('what admins decided is done once, in whatever order it is heard', async () => {
  const { id } = await said('In question');
  const repeated = randomUUID();
  await decide(id, 'hide', 1, repeated);
  expect(await shown()).not.toContain('In question');
  expect((await reported('hidden'))[0]).toMatchObject({ id, log: [{ action: 'hide', isAdmin: true }] });
  await decide(id, 'restore', 3);
  expect(await shown()).toContain('In question');
  // Late, and again: neither hides it anew.
  await decide(id, 'hide', 2);
  await decide(id, 'hide', 1, repeated);
  expect(await shown()).toContain('In question');
  await decide(id, 'remove', 4);
  await decide(id, 'remove', 4);
  expect(await shown()).not.toContain('In question');
  const { rows } = await catalog.pool.query('select from comments where id = $1', [id]);
  expect(rows).toEqual([]);
  await parked();
});

test('what its author deleted, or never was, is left alone', async () => {
  const { id, author } = await said('Gone by then');
  const deleting = catalog.call('DELETE', `/api/comments/${id}`, { as: author });
  await Promise.all([deleting, decide(id, 'hide', 1)]);
  expect((await deleting).status).toBe(204);
  for (const [at, action] of ['hide', 'keep', 'restore', 'remove'].entries()) {
    await decide(id, action, at + 2);
    await decide(888_888, action, at + 1);
  }
  expect(await shown()).not.toContain('Gone by then');
  await parked();
});

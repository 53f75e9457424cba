import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  AnswerPage,
  Comment,
  CommentPage,
  CommentThread,
  ModeratedComment,
  ModeratedComments,
} from '@beltway/contracts/catalog/comments';
import type { Event } from '@beltway/contracts/catalog/events';
import type { Problem } from '@beltway/contracts/common/basics';
import { EVENT_LOCK, deleteComment, postComment } from '../src/comments/comments.ts';
import { moderateComment } from '../src/comments/moderation.ts';
import { openTurns } from '../src/comments/turns.ts';
import { listingById } from '../src/event/queries.ts';
import { rebuild } from '../src/rebuild.ts';
import { startCatalog, type Answer, type Catalog, type Person } from './catalog.ts';

const organiser = { id: 1 };
const admin = { id: 9, role: 'admin' as const };
let lastId = 1_000;
/** A new account, so that what one test writes does not count for another. */
const somebody = (): Person => ({ id: ++lastId });

let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

type Refusal = Omit<Problem, 'status'>;
interface More {
  key?: string;
  answerTo?: number;
}

/** Each account has an address of its own, unless a test says otherwise. */
const call = <Body>(method: string, path: string, as: Person | undefined, body?: unknown, headers = {}) =>
  catalog.call<Body & Refusal>(method, path, {
    ...(as && { as }),
    ...(body !== undefined && { body }),
    headers: { 'x-forwarded-for': `account-${as?.id ?? 'none'}`, ...headers },
  });
const post = (eventId: number, as: Person | undefined, text: unknown, { key, ...more }: More = {}) =>
  call<CommentThread>(
    'POST',
    `/api/events/${eventId}/comments`,
    as,
    { text, ...more },
    key ? { 'idempotency-key': key } : {},
  );
const edit = (id: number, as: Person, text: string) =>
  call<CommentThread>('PATCH', `/api/comments/${id}`, as, { text });
const remove = (id: number, as: Person) => call('DELETE', `/api/comments/${id}`, as);
const report = (id: number, as: Person | undefined, body: object = { reason: 'spam' }) =>
  call('POST', `/api/comments/${id}/report`, as, body);
const moderate = (id: number, as: Person | undefined, action: string) =>
  call<ModeratedComment>('POST', `/api/comments/${id}/moderation`, as, { action });
const page = async (eventId: number, query = '') =>
  (await call<CommentPage>('GET', `/api/events/${eventId}/comments${query}`, undefined)).body;
const reported = async (as: Person, query = '') =>
  (await call<ModeratedComments>('GET', `/api/comments/reported${query}`, as)).body;
const outcome = ({ status, body }: Answer<Refusal>) => [status, body?.code];
const textsOf = (comments: Comment[]) => comments.map(({ text, state }) => text ?? state);

/** Writes one, and fails the test when that is refused. */
async function said(eventId: number, as: Person, text: string, more?: More): Promise<CommentThread> {
  const { status, body } = await post(eventId, as, text, more);
  if (status !== 201) throw new Error(`not written: ${JSON.stringify(body)}`);
  return body;
}

/** What the tables count, beside what is there. */
async function counts(eventId: number) {
  const { rows } = await catalog.pool.query(
    `select coalesce((select comments from event_counts where event_id = $1), 0) as total,
       (select count(*) from comments where event_id = $1 and deleted_at is null and hidden_at is null)::int as shown,
       (select count(*) from comments p where event_id = $1 and p.answers <>
          (select count(*) from comments where parent_id = p.id and deleted_at is null and hidden_at is null))::int as wrong,
       (select count(*) from comments c where event_id = $1 and c.open_reports <>
          (select count(*) from comment_reports where comment_id = c.id and settled_at is null))::int as "wrongReports"`,
    [eventId],
  );
  return rows[0] as { total: number; shown: number; wrong: number; wrongReports: number };
}
async function expectExact(eventId: number) {
  const { total, shown, ...wrong } = await counts(eventId);
  expect(total).toBe(shown);
  expect(wrong).toEqual({ wrong: 0, wrongReports: 0 });
  expect((await page(eventId)).total).toBe(shown);
  const { body: event } = await call<Event>('GET', `/api/events/${eventId}`, undefined);
  expect(event.counts?.comments).toBe(shown);
}

describe('reading', () => {
  test('newest first, with the first answers, in pages that neither repeat nor skip', async () => {
    const { id } = await catalog.publish(organiser);
    const first = await said(id, somebody(), 'Number 0');
    for (const n of [1, 2, 3, 4, 5]) await said(id, somebody(), `Answer ${n}`, { answerTo: first.id });
    for (const n of [1, 2, 3, 4]) await said(id, somebody(), `Number ${n}`);
    const one = await page(id, '?limit=2');
    await said(id, somebody(), 'Written meanwhile');
    const two = await page(id, `?limit=2&cursor=${one.nextCursor}`);
    const three = await page(id, `?limit=2&cursor=${two.nextCursor}`);
    expect([one, two, three].map(({ items }) => textsOf(items))).toEqual([
      ['Number 4', 'Number 3'],
      ['Number 2', 'Number 1'],
      ['Number 0'],
    ]);
    expect(three.nextCursor).toBeNull();
    expect(one).toMatchObject({ total: 10, closed: null });
    expect(textsOf(three.items[0]!.answers)).toEqual(['Answer 1', 'Answer 2', 'Answer 3']);
    expect(three.items[0]!.answerCount).toBe(5);
    const answers = async (query: string) =>
      (await call<AnswerPage>('GET', `/api/comments/${first.id}/answers${query}`, undefined)).body;
    const some = await answers('?limit=3');
    const rest = await answers(`?limit=3&cursor=${some.nextCursor}`);
    expect(textsOf([...some.items, ...rest.items])).toEqual([1, 2, 3, 4, 5].map((n) => `Answer ${n}`));
    expect(rest.nextCursor).toBeNull();
  });

  test('is everybody’s: the same bytes for all, to be kept for a second and dropped by its tags', async () => {
    const { id } = await catalog.publish(organiser);
    const writer = somebody();
    await said(id, writer, 'Hello');
    const asked = await Promise.all(
      [undefined, writer, organiser, admin].map((as) => call<CommentPage>('GET', `/api/events/${id}/comments`, as)),
    );
    expect(new Set(asked.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    for (const { headers } of asked) {
      expect(headers.get('cache-control')).toBe('public, max-age=1');
      expect(headers.get('cache-tag')).toBe(`comments-${id}, event-${id}`);
    }
    expect(JSON.stringify(asked[0]!.body)).not.toMatch(/@|example\.test/);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=41', 'limit'],
    ['limit=1e9', 'limit'],
    ['cursor=-1', 'cursor'],
    ['cursor=abc', 'cursor'],
    ['cursor=99999999999', 'cursor'],
  ])('%s is a 400 that names it', async (query, field) => {
    const { id } = await catalog.publish(organiser);
    const { status, body } = await call('GET', `/api/events/${id}/comments?${query}`, undefined);
    expect([status, body.errors?.[0]?.field]).toEqual([400, field]);
  });

  test('knows no comments of an event, and no answers to a comment, that does not exist', async () => {
    for (const id of ['text', '-1', '2147483648', '2147483647', '1%27']) {
      expect((await call('GET', `/api/events/${id}/comments`, undefined)).status).toBe(404);
      expect((await call('GET', `/api/comments/${id}/answers`, undefined)).status).toBe(404);
    }
  });
});

describe('writing', () => {
  test('shows the name of the token by which its author wrote first, and marks the organiser', async () => {
    const { id } = await catalog.publish(organiser);
    const [known, early] = [somebody(), somebody()];
    await catalog.introduce(known, 'Ann of before');
    await said(id, known, 'From Ann');
    const { author } = await said(id, early, 'From somebody new');
    expect(author).toEqual({ id: early.id, name: `User ${early.id}` });
    await said(id, organiser, 'Welcome');
    const { items } = await page(id);
    expect(items.map(({ author: by, isOrganiser }) => [by?.name, isOrganiser])).toEqual([
      ['User 1', true],
      [`User ${early.id}`, false],
      ['Ann of before', false],
    ]);
  });

  test('needs an account', async () => {
    const { id } = await catalog.publish(organiser);
    expect((await post(id, undefined, 'Hello')).status).toBe(401);
    const comment = await said(id, somebody(), 'Hello');
    expect((await report(comment.id, undefined)).status).toBe(401);
    expect((await moderate(comment.id, undefined, 'hide')).status).toBe(401);
    expect((await call('GET', '/api/comments/reported', undefined)).status).toBe(401);
  });

  const hostile = [
    '<script>alert(1)</script> <img src=x onerror=alert(1)> "quotes" \'; drop table comments; --',
    'https://evil.example javascript:alert(1) [a](b)',
    'שלום מוואשינגטון 🎉👩‍👩‍👧',
    'One\n\nTwo\tthree',
    'x'.repeat(2_000),
  ];
  test.each(hostile)('keeps text as it was typed: %j', async (text) => {
    const { id } = await catalog.publish(organiser);
    await said(id, somebody(), text);
    expect((await page(id)).items[0]!.text).toBe(text);
  });

  test.each([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['what nobody sees', '\u200b\u2060\ufeff\u2800'],
    ['too much', 'x'.repeat(2_001)],
    ['half a character', 'abc\ud800'],
    ['a pile of accents', `a${'\u0301\u0316'.repeat(8)}`],
    ['a number', 7],
    ['a list', ['Hello']],
  ])('refuses %s, and names the field', async (_what, text) => {
    const { id } = await catalog.publish(organiser);
    const { status, body } = await post(id, somebody(), text);
    expect([status, body.errors?.[0]?.field]).toEqual([400, 'text']);
    expect((await page(id)).total).toBe(0);
  });

  test.each([
    ['an override of the direction', 'abc\u202edef'],
    ['an isolate', 'abc\u2066def'],
    ['a control character', 'abc\u0000def'],
    ['a zero-width space', 'abc\u200bdef'],
  ])('leaves out %s', async (_what, text) => {
    const { id } = await catalog.publish(organiser);
    expect((await said(id, somebody(), text)).text).toBe('abcdef');
  });

  test('of several empty lines one is left', async () => {
    const { id } = await catalog.publish(organiser);
    expect((await said(id, somebody(), `Up${'\n \n'.repeat(400)}Down`)).text).toBe('Up\n\nDown');
  });

  test('takes no fields but its own', async () => {
    const { id } = await catalog.publish(organiser);
    const body = { text: 'Hello', author: { id: 1 }, createdAt: '2020-01-01T00:00:00Z' };
    expect((await call('POST', `/api/events/${id}/comments`, somebody(), body)).status).toBe(400);
  });

  test('answers a comment of the same event, and no answer', async () => {
    const [here, there] = [await catalog.publish(organiser), await catalog.publish(organiser)];
    const comment = await said(here.id, somebody(), 'A question');
    const answer = await said(here.id, somebody(), 'An answer', { answerTo: comment.id });
    expect(answer.answerTo).toBe(comment.id);
    expect(outcome(await post(here.id, somebody(), 'Deeper', { answerTo: answer.id }))).toEqual([
      409,
      'no-answers-to-answers',
    ]);
    expect(outcome(await post(there.id, somebody(), 'Elsewhere', { answerTo: comment.id }))).toEqual([
      404,
      'not-found',
    ]);
    expect(outcome(await post(here.id, somebody(), 'Nowhere', { answerTo: 2_147_483_647 }))).toEqual([
      404,
      'not-found',
    ]);
    expect(outcome(await post(here.id, somebody(), 'Wrong', { answerTo: -1 }))).toEqual([400, 'invalid']);
    await expectExact(here.id);
  });

  test('ends with an event that is cancelled, and thirty days after one is over; deleting does not', async () => {
    const now = catalog.time.now;
    const writer = somebody();
    const [cancelled, past, postponed] = await Promise.all([1, 2, 3].map(() => catalog.publish(organiser)));
    if (!cancelled || !past || !postponed) throw new Error('not published');
    const comments = [await said(cancelled.id, writer, 'Before'), await said(past.id, writer, 'Before')];
    await catalog.call('POST', `/api/events/${cancelled.id}/cancel`, { as: organiser });
    await catalog.call('POST', `/api/events/${postponed.id}/postpone`, { as: organiser });
    try {
      // It ends on December 5, 2026, at 10 PM in New York.
      catalog.time.now = new Date('2027-01-05T02:59:00Z');
      expect((await page(past.id)).closed).toBeNull();
      expect((await post(past.id, somebody(), 'It was good')).status).toBe(201);
      catalog.time.now = new Date('2027-01-05T03:01:00Z');
      // It has no end yet.
      expect((await post(postponed.id, somebody(), 'When is it?')).status).toBe(201);
      for (const [at, { id }] of [cancelled, past].entries()) {
        expect((await page(id)).closed).toBe(['cancelled', 'over'][at]);
        expect(outcome(await post(id, somebody(), 'After'))).toEqual([409, 'comments-closed']);
        expect(outcome(await edit(comments[at]!.id, writer, 'Changed'))).toEqual([409, 'comments-closed']);
        expect((await remove(comments[at]!.id, writer)).status).toBe(204);
        await expectExact(id);
      }
    } finally {
      catalog.time.now = now;
    }
    expect((await post(2_147_483_647, writer, 'Nowhere')).status).toBe(404);
  });
});

describe('a retry', () => {
  test('is one comment, however often and at once it is sent', async () => {
    const { id } = await catalog.publish(organiser);
    const [writer, key] = [somebody(), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(id, writer, 'Once', { key })));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(201);
    expect((await page(id)).total).toBe(1);
    await expectExact(id);
  });

  test('with other words, or for another event, is refused; the key of another account is another', async () => {
    const [here, there] = [await catalog.publish(organiser), await catalog.publish(organiser)];
    const [writer, key] = [somebody(), randomUUID()];
    await said(here.id, writer, 'Hello', { key });
    expect((await post(here.id, writer, 'Other words', { key })).status).toBe(422);
    expect((await post(there.id, writer, 'Hello', { key })).status).toBe(422);
    expect((await post(here.id, somebody(), 'Hello', { key })).status).toBe(201);
    expect((await post(here.id, writer, 'Hello', { key: 'short' })).status).toBe(400);
  });

  test('brings back nothing that was deleted', async () => {
    const { id } = await catalog.publish(organiser);
    const [writer, key] = [somebody(), randomUUID()];
    const comment = await said(id, writer, 'Hello', { key });
    await remove(comment.id, writer);
    expect(outcome(await post(id, writer, 'Hello', { key }))).toEqual([409, 'comment-gone']);
    expect((await page(id)).total).toBe(0);
  });
});

describe('floods', () => {
  test('the same words are said once below an event, whatever nobody sees in them, also at once', async () => {
    const { id } = await catalog.publish(organiser);
    const writer = somebody();
    const same = ['Buy now', ' buy  NOW ', 'Bu\u200by now', 'Ｂｕｙ now\u2060'];
    const answers = await Promise.all(same.map((text) => post(id, writer, text)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe('said-already');
    const first = (await page(id)).items[0]!;
    expect(outcome(await post(id, writer, 'buy now', { answerTo: first.id }))).toEqual([409, 'said-already']);
    const other = await said(id, writer, 'Something else');
    expect(outcome(await edit(other.id, writer, 'BUY NOW'))).toEqual([409, 'said-already']);
    expect((await post(id, somebody(), 'Buy now')).status).toBe(201);
  });

  test('an account writes six in a minute, below however many events and at once; what it deletes counts', async () => {
    const writer = somebody();
    const events = await Promise.all(Array.from({ length: 10 }, () => catalog.publish(organiser)));
    const answers = await Promise.all(events.map(({ id }) => post(id, writer, 'Everywhere')));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(6);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body.code).toBe('too-many-comments');
    expect(refused.headers.get('retry-after')).toBe('60');
    for (const { status, body } of answers) if (status === 201) await remove(body.id, writer);
    expect((await post(events[0]!.id, writer, 'Again')).status).toBe(429);
    const now = catalog.time.now;
    catalog.time.now = new Date(now.getTime() + 61_000);
    expect((await post(events[0]!.id, writer, 'Again')).status).toBe(201);
    catalog.time.now = now;
  });

  test('an account writes a hundred in a day', async () => {
    const { id } = await catalog.publish(organiser);
    const writer = somebody();
    await catalog.pool.query(
      `insert into comment_requests select $1, n::text, '', $2, n, $3 from generate_series(1, 100) n`,
      [writer.id, id, new Date(catalog.time.now.getTime() - 3_600_000)],
    );
    expect((await post(id, writer, 'One more')).status).toBe(429);
  });

  test('one address writes sixty in ten minutes, with however many accounts', async () => {
    const { id } = await catalog.publish(organiser);
    const statuses: number[] = [];
    for (let n = 0; n < 62; n++) {
      const { status } = await call(
        'POST',
        `/api/events/${id}/comments`,
        somebody(),
        { text: `Number ${n}` },
        {
          'x-forwarded-for': '203.0.113.7',
        },
      );
      statuses.push(status);
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(60);
    expect(statuses.slice(60)).toEqual([429, 429]);
  });

  test('a hot event takes 120 a minute, in whatever order they come, and counts them exactly', async () => {
    const { id } = await catalog.publish(organiser);
    await catalog.pool.query(
      `insert into comment_requests select 900000 + n, 'x', '', $1, n, $2 from generate_series(1, 100) n`,
      [id, catalog.time.now],
    );
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => post(id, somebody(), `Number ${n}`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
    await expectExact(id);
  });

  test('an event that many write to at once leaves the others their database connections', async () => {
    const { id } = await catalog.publish(organiser);
    const lock = await catalog.pool.connect();
    try {
      await lock.query('begin');
      await lock.query('select pg_advisory_xact_lock($1, $2)', [EVENT_LOCK, id]);
      const refused: number[] = [];
      const waiting = Array.from({ length: 60 }, async (_, n) => {
        const { status } = await post(id, somebody(), `Number ${n}`);
        if (status !== 201) refused.push(status);
        return status;
      });
      // While nobody gets through, who comes last is told to come again, and everybody else is answered.
      await expect.poll(() => refused).toEqual(Array.from({ length: 9 }, () => 503));
      expect((await page(id)).total).toBe(0);
      await lock.query('rollback');
      expect((await Promise.all(waiting)).filter((status) => status === 201)).toHaveLength(51);
    } finally {
      lock.release();
    }
    await expectExact(id);
  });
});

describe('changing', () => {
  test('is the author’s, and is seen', async () => {
    const { id } = await catalog.publish(organiser);
    const writer = somebody();
    const comment = await said(id, writer, 'Frist');
    for (const other of [somebody(), organiser, admin])
      expect(outcome(await edit(comment.id, other, 'Mine'))).toEqual([403, 'forbidden']);
    expect((await edit(comment.id, writer, 'Frist')).body.editedAt).toBeNull();
    const { body, headers } = await edit(comment.id, writer, 'First');
    expect(body).toMatchObject({ text: 'First', editedAt: catalog.time.now.toISOString() });
    expect(headers.get('cache-tag')).toBe(`comments-${id}`);
    expect((await page(id)).items[0]).toMatchObject({ text: 'First', createdAt: comment.createdAt });
    expect((await edit(comment.id, writer, '\u202e')).status).toBe(400);
    expect((await edit(2_147_483_647, writer, 'Nothing')).status).toBe(404);
  });
});

describe('deleting', () => {
  test('is the author’s; what has no answers disappears, and a repeat finds it done', async () => {
    const { id } = await catalog.publish(organiser);
    const writer = somebody();
    const comment = await said(id, writer, 'Gone soon');
    for (const other of [somebody(), organiser, admin])
      expect(outcome(await remove(comment.id, other))).toEqual([403, 'forbidden']);
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(comment.id, writer)));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    expect(await page(id)).toMatchObject({ items: [], total: 0 });
    expect((await edit(comment.id, writer, 'Back')).status).toBe(404);
    expect((await catalog.pool.query('select from comments where id = $1', [comment.id])).rowCount).toBe(0);
    expect((await post(id, writer, 'Gone soon')).status).toBe(201);
    await expectExact(id);
  });

  test('what has answers keeps its place without words and name, until the last answer goes', async () => {
    const { id } = await catalog.publish(organiser);
    const [writer, other] = [somebody(), somebody()];
    const comment = await said(id, writer, 'A secret');
    const answer = await said(id, other, 'An answer', { answerTo: comment.id });
    await remove(comment.id, writer);
    const { items, total } = await page(id);
    expect(items).toMatchObject([
      { id: comment.id, state: 'deleted', text: null, author: null, answerCount: 1, answers: [{ text: 'An answer' }] },
    ]);
    expect(total).toBe(1);
    const { rows } = await catalog.pool.query('select text, text_key from comments where id = $1', [comment.id]);
    expect(rows).toEqual([{ text: null, text_key: null }]);
    expect(outcome(await post(id, somebody(), 'Late', { answerTo: comment.id }))).toEqual([409, 'comment-gone']);
    await remove(answer.id, other);
    expect((await page(id)).items).toEqual([]);
    expect((await catalog.pool.query('select from comments where event_id = $1', [id])).rowCount).toBe(0);
    await expectExact(id);
  });

  test('in a race with an answer leaves either no comment and no answer, or the answer below its place', async () => {
    const { id } = await catalog.publish(organiser);
    for (let round = 0; round < 8; round++) {
      const writer = somebody();
      const comment = await said(id, writer, `Question ${round}`);
      const order = [
        () => remove(comment.id, writer),
        () => post(id, somebody(), `Answer ${round}`, { answerTo: comment.id }),
      ];
      if (round % 2) order.reverse();
      const [one, two] = await Promise.all(order.map((act) => act()));
      const answered = round % 2 ? one! : two!;
      expect([201, 404]).toContain(answered.status);
      const { items } = await page(id, '?limit=1');
      if (answered.status === 201) expect(items[0]).toMatchObject({ id: comment.id, state: 'deleted', answerCount: 1 });
      else expect(items[0]?.id).not.toBe(comment.id);
    }
    await expectExact(id);
  });
});

describe('reporting', () => {
  test('counts once for each account, however often and at once, and tells nobody who it was', async () => {
    const event = await catalog.publish(organiser);
    const [writer, reporter, other] = [somebody(), somebody(), somebody()];
    const comment = await said(event.id, writer, 'Buy my things');
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => report(comment.id, reporter, { reason: 'spam', note: 'Again <b>him</b>' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    await report(comment.id, other, { reason: 'other' });
    const { items } = await reported(organiser);
    const found = items.find(({ id }) => id === comment.id)!;
    expect(found).toMatchObject({ eventId: event.id, eventTitle: event.title, text: 'Buy my things', state: 'shown' });
    expect(found.reports.map(({ reason, note }) => [reason, note])).toEqual(
      expect.arrayContaining([
        ['spam', 'Again <b>him</b>'],
        ['other', null],
      ]),
    );
    expect(found.reports).toHaveLength(2);
    expect(JSON.stringify(found)).not.toContain(String(reporter.id));
    await expectExact(event.id);
  });

  test.each([
    ['a reason of its own', { reason: 'boring' }, 'reason'],
    ['no reason', {}, 'reason'],
    ['a long note', { reason: 'spam', note: 'x'.repeat(501) }, 'note'],
  ])('refuses %s', async (_what, body, field) => {
    const { id } = await catalog.publish(organiser);
    const comment = await said(id, somebody(), 'Hello');
    const answer = await report(comment.id, somebody(), body);
    expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, field]);
  });

  test('one’s own is refused; nothing else is there to report', async () => {
    const { id } = await catalog.publish(organiser);
    const writer = somebody();
    const comment = await said(id, writer, 'Hello');
    expect(outcome(await report(comment.id, writer))).toEqual([409, 'own-comment']);
    await moderate(comment.id, organiser, 'hide');
    expect((await report(comment.id, somebody())).status).toBe(404);
    expect((await report(2_147_483_647, somebody())).status).toBe(404);
  });

  test('what a moderator let stand is reported again only after it was changed; what it said is kept', async () => {
    const { id } = await catalog.publish(organiser);
    const [writer, reporter] = [somebody(), somebody()];
    const comment = await said(id, writer, 'Fine');
    await report(comment.id, reporter);
    expect((await moderate(comment.id, organiser, 'keep')).status).toBe(200);
    await report(comment.id, reporter);
    expect((await reported(organiser)).items.map((one) => one.id)).not.toContain(comment.id);
    catalog.time.now = new Date(catalog.time.now.getTime() + 1_000);
    await edit(comment.id, writer, 'Not fine');
    await report(comment.id, reporter, { reason: 'abuse' });
    await edit(comment.id, writer, 'Fine again');
    const found = (await reported(organiser)).items.find((one) => one.id === comment.id)!;
    expect(found.text).toBe('Fine again');
    expect(found.reports).toMatchObject([{ reason: 'abuse', text: 'Not fine', isSettled: false }]);
    await expectExact(id);
  });

  test('an account reports thirty in a day', async () => {
    const { id } = await catalog.publish(organiser);
    const reporter = somebody();
    const comments = [];
    for (let n = 0; n < 31; n++) comments.push(await said(id, somebody(), `Number ${n}`));
    const statuses = [];
    for (const comment of comments) statuses.push((await report(comment.id, reporter)).status);
    expect(statuses.slice(0, 30).every((status) => status === 204)).toBe(true);
    expect(statuses[30]).toBe(429);
  });
});

describe('moderating', () => {
  test('is the organiser’s and an admin’s, each action with who and when', async () => {
    const { id } = await catalog.publish(organiser);
    const writer = somebody();
    const comment = await said(id, writer, 'Rude words');
    for (const other of [somebody(), writer, { id: 77, role: 'business' as const }])
      expect(outcome(await moderate(comment.id, other, 'hide'))).toEqual([403, 'forbidden']);
    expect((await moderate(comment.id, organiser, 'shout')).status).toBe(400);
    expect((await moderate(2_147_483_647, organiser, 'hide')).status).toBe(404);

    const hidden = await moderate(comment.id, organiser, 'hide');
    expect(hidden.headers.get('cache-tag')).toBe(`comments-${id}`);
    expect(hidden.body).toMatchObject({ state: 'hidden', text: 'Rude words', isHiddenByAdmin: false });
    expect(await page(id)).toMatchObject({ items: [], total: 0 });
    expect(outcome(await edit(comment.id, writer, 'Nice words'))).toEqual([409, 'comment-hidden']);
    expect(outcome(await post(id, writer, 'rude WORDS'))).toEqual([409, 'said-already']);
    expect((await reported(organiser, '?status=hidden')).items.map((one) => one.id)).toContain(comment.id);

    const restored = await moderate(comment.id, admin, 'restore');
    expect(textsOf((await page(id)).items)).toEqual(['Rude words']);
    expect(restored.body.log).toMatchObject([
      { action: 'restore', moderator: { id: admin.id }, isAdmin: true, at: catalog.time.now.toISOString() },
      { action: 'hide', moderator: { id: organiser.id }, isAdmin: false },
    ]);
    await expectExact(id);
  });

  test('a hidden comment with answers keeps its place; a hidden answer is gone', async () => {
    const { id } = await catalog.publish(organiser);
    const comment = await said(id, somebody(), 'Rude');
    const answers = [
      await said(id, somebody(), 'Calm', { answerTo: comment.id }),
      await said(id, somebody(), 'Rude too', { answerTo: comment.id }),
    ];
    await moderate(comment.id, organiser, 'hide');
    await moderate(answers[1]!.id, organiser, 'hide');
    const { items, total } = await page(id);
    expect(items).toMatchObject([{ state: 'hidden', text: null, author: null, answerCount: 1 }]);
    expect(textsOf(items[0]!.answers)).toEqual(['Calm']);
    expect(total).toBe(1);
    expect(outcome(await post(id, somebody(), 'Late', { answerTo: comment.id }))).toEqual([409, 'comment-gone']);
    await moderate(answers[0]!.id, organiser, 'hide');
    expect((await page(id)).items).toEqual([]);
    await expectExact(id);
  });

  test('what an admin hid only an admin restores, also when the organiser had hidden it before', async () => {
    const { id } = await catalog.publish(organiser);
    const [one, two] = [await said(id, somebody(), 'One'), await said(id, somebody(), 'Two')];
    await moderate(one.id, admin, 'hide');
    await moderate(two.id, organiser, 'hide');
    await moderate(two.id, admin, 'hide');
    for (const comment of [one, two])
      expect(outcome(await moderate(comment.id, organiser, 'restore'))).toEqual([403, 'forbidden']);
    // The organiser is not told which admin it was.
    const found = (await reported(organiser, '?status=hidden')).items.find((each) => each.id === two.id)!;
    expect(found.isHiddenByAdmin).toBe(true);
    expect(found.log).toMatchObject([
      { isAdmin: true, moderator: null },
      { isAdmin: false, moderator: { id: organiser.id } },
    ]);
    expect((await moderate(one.id, admin, 'restore')).status).toBe(200);
    await expectExact(id);
  });

  test('two moderators at once: hiding twice is once, and who would keep what is hidden meanwhile is told', async () => {
    const { id } = await catalog.publish(organiser);
    const comment = await said(id, somebody(), 'Rude');
    await report(comment.id, somebody());
    const both = await Promise.all([moderate(comment.id, organiser, 'hide'), moderate(comment.id, organiser, 'hide')]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both[0]!.body.log).toHaveLength(1);
    expect(outcome(await moderate(comment.id, organiser, 'keep'))).toEqual([409, 'hidden-meanwhile']);
    const undone = await Promise.all([
      moderate(comment.id, organiser, 'restore'),
      moderate(comment.id, admin, 'restore'),
    ]);
    expect(undone.map(({ status }) => status)).toEqual([200, 200]);
    const { rows } = await catalog.pool.query(
      'select action from comment_moderations where comment_id = $1 order by id',
      [comment.id],
    );
    expect(rows.map(({ action }) => action as string)).toEqual(['hide', 'restore']);
    await expectExact(id);
  });

  test('an edit, a deletion and a hide at once end in one of the orders they can have', async () => {
    const { id } = await catalog.publish(organiser);
    for (let round = 0; round < 6; round++) {
      const writer = somebody();
      const comment = await said(id, writer, `Words ${round}`);
      await said(id, somebody(), `Answer ${round}`, { answerTo: comment.id });
      const acts = [
        () => edit(comment.id, writer, `Other words ${round}`),
        () => remove(comment.id, writer),
        () => moderate(comment.id, organiser, 'hide'),
      ];
      const turned = [...acts.slice(round % 3), ...acts.slice(0, round % 3)];
      await Promise.all(turned.map((act) => act()));
      const { items } = await page(id, '?limit=1');
      // Whatever came first: it is deleted, and nothing of its words is left.
      expect(items[0]).toMatchObject({ id: comment.id, state: 'deleted', text: null, author: null });
      const { rows } = await catalog.pool.query('select text from comments where id = $1', [comment.id]);
      expect(rows).toEqual([{ text: null }]);
    }
    await expectExact(id);
  });

  test('a list of one’s own events for organisers, of all for admins, in pages', async () => {
    const [mine, theirs] = [somebody(), somebody()];
    const [here, there] = [await catalog.publish(mine), await catalog.publish(theirs)];
    const comments = [];
    for (const n of [1, 2, 3]) comments.push(await said(here.id, somebody(), `Number ${n}`));
    comments.push(await said(there.id, somebody(), 'Elsewhere'));
    for (const comment of comments) await report(comment.id, somebody());
    const ids = comments.map(({ id }) => id);
    const first = await reported(mine, '?limit=2');
    const second = await reported(mine, `?limit=2&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids.slice(0, 3).reverse());
    expect(second.nextCursor).toBeNull();
    expect((await reported(theirs)).items.map(({ id }) => id)).toEqual(ids.slice(3));
    expect((await reported(admin)).items.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect((await reported(somebody())).items).toEqual([]);
    expect((await call('GET', '/api/comments/reported?status=all', mine)).status).toBe(400);
  });
});

describe('two instances, which wait for each other in the database alone', () => {
  /** Each call of it is another instance. */
  const instance = () => ({ pool: catalog.pool, turns: openTurns() });
  const statuses = async (all: Promise<unknown>[]) => {
    const ends = await Promise.allSettled(all);
    return ends.map((end) => (end.status === 'fulfilled' ? 'done' : (end.reason as { code: string }).code));
  };

  test('count one account’s six, and let the same words stand once', async () => {
    const author = { ...somebody(), name: 'Ann' };
    const listings = await Promise.all(
      Array.from({ length: 9 }, async () => (await listingById(catalog.pool, (await catalog.publish(organiser)).id))!),
    );
    const now = catalog.time.now;
    const everywhere = listings.map((listing) =>
      postComment(instance(), { listing, author, body: { text: 'Everywhere' }, key: undefined }, now),
    );
    expect((await statuses(everywhere)).filter((end) => end === 'done')).toHaveLength(6);

    const other = { ...somebody(), name: 'Bob' };
    const same = Array.from({ length: 5 }, () =>
      postComment(instance(), { listing: listings[0]!, author: other, body: { text: 'Once' }, key: undefined }, now),
    );
    expect((await statuses(same)).sort()).toEqual([
      'done',
      'said-already',
      'said-already',
      'said-already',
      'said-already',
    ]);
    await expectExact(listings[0]!.eventId);
  });

  test('hide, restore, answer and delete without a wrong count', async () => {
    const { id: eventId } = await catalog.publish(organiser);
    const listing = (await listingById(catalog.pool, eventId))!;
    const now = catalog.time.now;
    const moderator = { id: organiser.id, name: 'Olga', isAdmin: false };
    for (let round = 0; round < 5; round++) {
      const writer = somebody();
      const { id: commentId } = await said(eventId, writer, `Question ${round}`);
      const act = (action: 'hide' | 'restore') =>
        moderateComment(instance(), { eventId, commentId, moderator, action }, now);
      const answer = () =>
        postComment(
          instance(),
          {
            listing,
            author: { ...somebody(), name: 'Ann' },
            body: { text: 'Hm', answerTo: commentId },
            key: undefined,
          },
          now,
        );
      const ends = await statuses([
        answer(),
        act('hide'),
        act('hide'),
        answer(),
        act('restore'),
        deleteComment(instance(), { eventId, commentId, authorId: writer.id }, now),
        answer(),
      ]);
      for (const end of ends) expect(['done', 'not-found', 'comment-gone']).toContain(end);
      await expectExact(eventId);
    }
  });
});

test('a rebuild of the listings keeps comments, answers, counts, reports and what moderators did', async () => {
  const { id } = await catalog.publish(organiser);
  const comment = await said(id, somebody(), 'Kept');
  await said(id, somebody(), 'An answer', { answerTo: comment.id });
  const bad = await said(id, somebody(), 'Rude');
  await report(comment.id, somebody());
  await moderate(bad.id, organiser, 'hide');
  const before = [await page(id), await reported(organiser), await reported(organiser, '?status=hidden')];
  await rebuild(catalog.databaseUrl);
  expect([await page(id), await reported(organiser), await reported(organiser, '?status=hidden')]).toEqual(before);
  await expectExact(id);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CommentsCountedV1,
  type BlockedAuthors,
  type AnswerPage,
  type Comment,
  type CommentPage,
  type CommentThread,
  type ModeratedComment,
  type ModeratedComments,
} from '@beltway/contracts/realtime/comments';
import type { Problem } from '@beltway/contracts/common/basics';
import { golden } from '@beltway/contracts/testing/golden';
import { HttpProblem } from '@beltway/kit/problems';
import { moderate as moderateNow, removeForGood } from '../src/contributions/change.ts';
import { openEvents } from '../src/contributions/events.ts';
import { openTurns } from '../src/contributions/turns.ts';
import { lockThread, write } from '../src/contributions/write.ts';
import { rebuild } from '../src/rebuild.ts';
import { person, startCommunity, type Community, type Person } from './community.ts';
import { eventState, said as message } from './notifications.ts';
import { INTERNAL_TOKEN } from './realtime.ts';

const organizer = { id: 1 };
const admin = { id: 9, role: 'admin' as const };
/** A new account, so that tests do not share counters. */
const somebody = person;

/** The clock of the service. */
const time = { now: new Date('2026-12-01T12:00:00Z') };
let community: Community;
beforeAll(async () => {
  community = await startCommunity({ isUnlimited: false, clock: () => time.now });
});
afterAll(() => community.close());

let lastEvent = 0;
interface NewEvent {
  id: number;
  title: string;
}
/** An event that ends on December 5, 2026, at 10 PM in New York. */
async function publish({ id: ownerId }: Person): Promise<NewEvent> {
  const id = ++lastEvent;
  const title = `Go-Go Night ${id}`;
  await tellEvent('published', id, { ownerId, title });
  return { id, title };
}
/** The catalog publishes an event's current state. Resolves when the state is stored here. */
async function tellEvent(type: string, eventId: number, more: object, version = 1): Promise<void> {
  const state = eventState(eventId, { eventDate: '2026-12-05T05:00:00.000Z', version, ...more });
  await community.hear(message(`catalog.event-${type}`, `event-${eventId}`, state));
  await expect
    .poll(
      async () =>
        (
          await community.pool.query('select from noted_events where event_id = $1 and version >= $2', [
            eventId,
            version,
          ])
        ).rowCount,
    )
    .toBe(1);
}

type Refusal = Omit<Problem, 'status'>;
interface More {
  key?: string;
  answerTo?: number;
}
interface Answer<Body> {
  status: number;
  body: Body;
}

/** Each account has its own IP address, unless a test sets another. */
const call = <Body>(method: string, path: string, as: Person | undefined, body?: unknown, headers = {}) =>
  community.ask<Body & Refusal>(method, path, {
    as,
    body,
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
/** Resolves when realtime has applied the resulting number of reports. */
async function report(id: number, as: Person | undefined, body: object = { reason: 'spam' }) {
  const answer = await call('POST', `/api/comments/${id}/report`, as, body);
  await community.reports.settled();
  return answer;
}
const moderate = (id: number, as: Person | undefined, action: string) =>
  call<ModeratedComment>('POST', `/api/comments/${id}/moderation`, as, { action });
const page = async (eventId: number, query = '') =>
  (await call<CommentPage>('GET', `/api/events/${eventId}/comments${query}`, undefined)).body;
const reported = async (as: Person, query = '') =>
  (await call<ModeratedComments>('GET', `/api/comments/reported${query}`, as)).body;
const outcome = ({ status, body }: Answer<Refusal>) => [status, body?.code];
const textsOf = (comments: Comment[]) => comments.map(({ text, state }) => text ?? state);

/** Writes a comment, and fails the test if it is refused. */
async function said(eventId: number, as: Person, text: string, more?: More): Promise<CommentThread> {
  const { status, body } = await post(eventId, as, text, more);
  if (status !== 201) throw new Error(`not written: ${JSON.stringify(body)}`);
  return body;
}

/**
 * The stored number of comments, the actual number of shown comments, and the number of comments whose answer counter
 * is wrong.
 */
async function counts(eventId: number) {
  const { rows } = await community.pool.query(
    `select coalesce((select comments from event_comments where event_id = $1), 0) as total,
       (select count(*) from contributions where event_id = $1 and deleted_at is null and hidden_at is null)::int as shown,
       (select count(*) from contributions p where event_id = $1 and p.below <>
          (select count(*) from contributions where parent_id = p.id and deleted_at is null and hidden_at is null))::int as wrong`,
    [eventId],
  );
  return rows[0] as { total: number; shown: number; wrong: number };
}
/** The last published number of comments of an event. */
async function published(eventId: number): Promise<number> {
  const numbers: Array<{ eventId: number; comments: number; version: number }> = [];
  await community.bus.replay('realtime.events', async (batch) => {
    for (const delivery of batch) numbers.push(CommentsCountedV1.strict().parse(delivery.message).data);
  });
  const own = numbers.filter((one) => one.eventId === eventId).sort((one, other) => other.version - one.version);
  return own[0]?.comments ?? 0;
}
async function expectExact(eventId: number) {
  const { total, shown, wrong } = await counts(eventId);
  expect([total, wrong]).toEqual([shown, 0]);
  expect((await page(eventId)).total).toBe(shown);
  // The number is eventually published to the catalog.
  await expect.poll(() => published(eventId)).toBe(shown);
}

describe('reading', () => {
  test('lists newest first, with the first answers, in pages without gaps or duplicates', async () => {
    const { id } = await publish(organizer);
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

  test('returns the same bytes to all readers, cacheable for one second and with cache tags', async () => {
    const { id } = await publish(organizer);
    const writer = somebody();
    await said(id, writer, 'Hello');
    const asked = await Promise.all(
      [undefined, writer, organizer, admin].map((as) => call<CommentPage>('GET', `/api/events/${id}/comments`, as)),
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
  ])('%s is refused with a 400 that names the field', async (query, field) => {
    const { id } = await publish(organizer);
    const { status, body } = await call('GET', `/api/events/${id}/comments?${query}`, undefined);
    expect([status, body.errors?.[0]?.field]).toEqual([400, field]);
  });

  test('404 for comments of an unknown event, and for answers to an unknown comment', async () => {
    for (const id of ['text', '-1', '2147483648', '2147483647', '1%27']) {
      expect((await call('GET', `/api/events/${id}/comments`, undefined)).status).toBe(404);
      expect((await call('GET', `/api/comments/${id}/answers`, undefined)).status).toBe(404);
    }
  });
});

describe('writing', () => {
  test('shows on all comments of an account the name that it had when it wrote its latest comment, and marks the organizer', async () => {
    const { id } = await publish(organizer);
    const ann = person({ name: 'Ann' });
    const { author } = await said(id, ann, 'From Ann');
    expect(author).toEqual({ id: ann.id, name: 'Ann' });
    await said(id, { ...ann, name: 'Ann Lee' }, 'From Ann again');
    await said(id, organizer, 'Welcome');
    const { items } = await page(id);
    expect(items.map(({ author: by, isOrganizer }) => [by?.name, isOrganizer])).toEqual([
      [`User ${organizer.id}`, true],
      ['Ann Lee', false],
      ['Ann Lee', false],
    ]);
  });

  test('needs an account', async () => {
    const { id } = await publish(organizer);
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
  test.each(hostile)('keeps text unchanged: %j', async (text) => {
    const { id } = await publish(organizer);
    await said(id, somebody(), text);
    expect((await page(id)).items[0]!.text).toBe(text);
  });

  test.each([
    ['an empty text', ''],
    ['blanks', ' \n\t '],
    ['only invisible characters', '\u200b\u2060\ufeff\u2800'],
    ['a text of more than 2,000 characters', 'x'.repeat(2_001)],
    ['half a character', 'abc\ud800'],
    ['a pile of accents', `a${'\u0301\u0316'.repeat(8)}`],
    ['a number', 7],
    ['a list', ['Hello']],
  ])('refuses %s, and names the field', async (_what, text) => {
    const { id } = await publish(organizer);
    const { status, body } = await post(id, somebody(), text);
    expect([status, body.errors?.[0]?.field]).toEqual([400, 'text']);
    expect((await page(id)).total).toBe(0);
  });

  test.each([
    ['a text direction override', 'abc\u202edef'],
    ['a text direction isolate', 'abc\u2066def'],
    ['a control character', 'abc\u0000def'],
    ['a zero-width space', 'abc\u200bdef'],
  ])('removes %s', async (_what, text) => {
    const { id } = await publish(organizer);
    expect((await said(id, somebody(), text)).text).toBe('abcdef');
  });

  test('several empty lines become one', async () => {
    const { id } = await publish(organizer);
    expect((await said(id, somebody(), `Up${'\n \n'.repeat(400)}Down`)).text).toBe('Up\n\nDown');
  });

  test('accepts no unknown fields', async () => {
    const { id } = await publish(organizer);
    const body = { text: 'Hello', author: { id: 1 }, createdAt: '2020-01-01T00:00:00Z' };
    expect((await call('POST', `/api/events/${id}/comments`, somebody(), body)).status).toBe(400);
  });

  test('accepts an answer to a comment of the same event, but not to another answer', async () => {
    const [here, there] = [await publish(organizer), await publish(organizer)];
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

  test('is no longer possible after an event is canceled, or thirty days after its end; deleting still is', async () => {
    const now = time.now;
    const writer = somebody();
    const [canceled, past, postponed] = await Promise.all([1, 2, 3].map(() => publish(organizer)));
    if (!canceled || !past || !postponed) throw new Error('not published');
    const comments = [await said(canceled.id, writer, 'Before'), await said(past.id, writer, 'Before')];
    await community.hear(
      message('catalog.event-canceled', `event-${canceled.id}`, { eventId: canceled.id, ownerId: 1, version: 2 }),
    );
    await tellEvent('updated', postponed.id, { isPostponed: true }, 2);
    try {
      // The event ends on December 5, 2026, at 10 PM in New York.
      time.now = new Date('2027-01-05T02:59:00Z');
      expect((await page(past.id)).closed).toBeNull();
      expect((await post(past.id, somebody(), 'It was good')).status).toBe(201);
      time.now = new Date('2027-01-05T03:01:00Z');
      // The postponed event has no end yet.
      expect((await post(postponed.id, somebody(), 'When is it?')).status).toBe(201);
      for (const [at, { id }] of [canceled, past].entries()) {
        expect((await page(id)).closed).toBe(['canceled', 'over'][at]);
        expect(outcome(await post(id, somebody(), 'After'))).toEqual([409, 'comments-closed']);
        expect(outcome(await edit(comments[at]!.id, writer, 'Changed'))).toEqual([409, 'comments-closed']);
        expect((await remove(comments[at]!.id, writer)).status).toBe(204);
        await expectExact(id);
      }
    } finally {
      time.now = now;
    }
    expect((await post(2_147_483_647, writer, 'Nowhere')).status).toBe(404);
  });
});

describe('a retry', () => {
  test('creates only one comment, even if repeats are concurrent', async () => {
    const { id } = await publish(organizer);
    const [writer, key] = [somebody(), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(id, writer, 'Once', { key })));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(201);
    expect((await page(id)).total).toBe(1);
    await expectExact(id);
  });

  test('with another text, or for another event, is refused; another account may use the same key', async () => {
    const [here, there] = [await publish(organizer), await publish(organizer)];
    const [writer, key] = [somebody(), randomUUID()];
    await said(here.id, writer, 'Hello', { key });
    expect((await post(here.id, writer, 'Other words', { key })).status).toBe(422);
    expect((await post(there.id, writer, 'Hello', { key })).status).toBe(422);
    expect((await post(here.id, somebody(), 'Hello', { key })).status).toBe(201);
    expect((await post(here.id, writer, 'Hello', { key: 'short' })).status).toBe(400);
  });

  test('does not restore a deleted comment', async () => {
    const { id } = await publish(organizer);
    const [writer, key] = [somebody(), randomUUID()];
    const comment = await said(id, writer, 'Hello', { key });
    await remove(comment.id, writer);
    expect(outcome(await post(id, writer, 'Hello', { key }))).toEqual([409, 'comment-gone']);
    expect((await page(id)).total).toBe(0);
  });
});

describe('floods', () => {
  test('an account’s text is accepted only once per event, even if repeats differ in case or invisible characters or arrive concurrently', async () => {
    const { id } = await publish(organizer);
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

  test('an account may write at most six comments a minute over all events, even concurrently; deleted comments count', async () => {
    const writer = somebody();
    const events = await Promise.all(Array.from({ length: 10 }, () => publish(organizer)));
    const answers = await Promise.all(events.map(({ id }) => post(id, writer, 'Everywhere')));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(6);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body.code).toBe('too-many-comments');
    expect(refused.headers.get('retry-after')).toBe('60');
    for (const { status, body } of answers) if (status === 201) await remove(body.id, writer);
    expect((await post(events[0]!.id, writer, 'Again')).status).toBe(429);
    const now = time.now;
    time.now = new Date(now.getTime() + 61_000);
    expect((await post(events[0]!.id, writer, 'Again')).status).toBe(201);
    time.now = now;
  });

  test('an account may write at most a hundred comments a day', async () => {
    const { id } = await publish(organizer);
    const writer = somebody();
    await community.pool.query(
      `insert into requests select $1, 'comment', n::text, '', n, 'event ' || $2, $3 from generate_series(1, 100) n`,
      [writer.id, id, new Date(time.now.getTime() - 3_600_000)],
    );
    expect((await post(id, writer, 'One more')).status).toBe(429);
  });

  test('at most sixty comments in ten minutes are accepted from one IP address, regardless of the number of accounts', async () => {
    const { id } = await publish(organizer);
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

  test('a busy event accepts at most 120 comments a minute and counts them exactly, even if they arrive concurrently', async () => {
    const { id } = await publish(organizer);
    await community.pool.query(
      `insert into requests select 900000 + n, 'comment', 'x', '', n, 'event ' || $1, $2 from generate_series(1, 100) n`,
      [id, time.now],
    );
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => post(id, somebody(), `Number ${n}`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
    await expectExact(id);
  });

  test('an event with many concurrent writers leaves database connections for other requests', async () => {
    const { id } = await publish(organizer);
    const lock = await community.pool.connect();
    try {
      await lock.query('begin');
      await lockThread(lock, { of: 'event', id });
      const refused: number[] = [];
      const waiting = Array.from({ length: 60 }, async (_, n) => {
        const { status } = await post(id, somebody(), `Number ${n}`);
        if (status !== 201) refused.push(status);
        return status;
      });
      // While 51 writers wait, the other nine get 503, and other requests succeed.
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
  test('is allowed only to the author, and an edited comment is marked', async () => {
    const { id } = await publish(organizer);
    const writer = somebody();
    const comment = await said(id, writer, 'Frist');
    for (const other of [somebody(), organizer, admin])
      expect(outcome(await edit(comment.id, other, 'Mine'))).toEqual([403, 'forbidden']);
    expect((await edit(comment.id, writer, 'Frist')).body.editedAt).toBeNull();
    const { body, headers } = await edit(comment.id, writer, 'First');
    expect(body).toMatchObject({ text: 'First', editedAt: time.now.toISOString() });
    expect(headers.get('cache-tag')).toBe(`comments-${id}`);
    expect((await page(id)).items[0]).toMatchObject({ text: 'First', createdAt: comment.createdAt });
    expect((await edit(comment.id, writer, '\u202e')).status).toBe(400);
    expect((await edit(2_147_483_647, writer, 'Nothing')).status).toBe(404);
  });
});

describe('deleting', () => {
  test('is allowed only to the author; a comment without answers disappears, and a repeated call succeeds', async () => {
    const { id } = await publish(organizer);
    const writer = somebody();
    const comment = await said(id, writer, 'Gone soon');
    for (const other of [somebody(), organizer, admin])
      expect(outcome(await remove(comment.id, other))).toEqual([403, 'forbidden']);
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(comment.id, writer)));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    expect(await page(id)).toMatchObject({ items: [], total: 0 });
    expect((await edit(comment.id, writer, 'Back')).status).toBe(404);
    expect((await community.pool.query('select from contributions where id = $1', [comment.id])).rowCount).toBe(0);
    expect((await post(id, writer, 'Gone soon')).status).toBe(201);
    await expectExact(id);
  });

  test('a comment with answers keeps its place without text and name, until the last answer is gone', async () => {
    const { id } = await publish(organizer);
    const [writer, other] = [somebody(), somebody()];
    const comment = await said(id, writer, 'A secret');
    const answer = await said(id, other, 'An answer', { answerTo: comment.id });
    await remove(comment.id, writer);
    const { items, total } = await page(id);
    expect(items).toMatchObject([
      { id: comment.id, state: 'deleted', text: null, author: null, answerCount: 1, answers: [{ text: 'An answer' }] },
    ]);
    expect(total).toBe(1);
    const { rows } = await community.pool.query('select text, text_key from contributions where id = $1', [comment.id]);
    expect(rows).toEqual([{ text: null, text_key: null }]);
    expect(outcome(await post(id, somebody(), 'Late', { answerTo: comment.id }))).toEqual([409, 'comment-gone']);
    await remove(answer.id, other);
    expect((await page(id)).items).toEqual([]);
    expect((await community.pool.query('select from contributions where event_id = $1', [id])).rowCount).toBe(0);
    await expectExact(id);
  });

  test('concurrent with an answer, either removes the comment and refuses the answer, or leaves a placeholder with the answer below it', async () => {
    const { id } = await publish(organizer);
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
  test('counts once for each account, even with concurrent calls, and does not reveal the account', async () => {
    const event = await publish(organizer);
    const [writer, reporter, other] = [somebody(), somebody(), somebody()];
    const comment = await said(event.id, writer, 'Buy my things');
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => report(comment.id, reporter, { reason: 'spam', note: 'Again <b>him</b>' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    await report(comment.id, other, { reason: 'other' });
    const { items } = await reported(organizer);
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
    ['an unknown reason', { reason: 'boring' }, 'reason'],
    ['no reason', {}, 'reason'],
    ['a long note', { reason: 'spam', note: 'x'.repeat(501) }, 'note'],
  ])('refuses %s', async (_what, body, field) => {
    const { id } = await publish(organizer);
    const comment = await said(id, somebody(), 'Hello');
    const answer = await report(comment.id, somebody(), body);
    expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, field]);
  });

  test('is refused for one’s own comment and for an unknown comment', async () => {
    const { id } = await publish(organizer);
    const writer = somebody();
    const comment = await said(id, writer, 'Hello');
    expect(outcome(await report(comment.id, writer))).toEqual([409, 'own-comment']);
    await moderate(comment.id, organizer, 'hide');
    expect((await report(comment.id, somebody())).status).toBe(404);
    expect((await report(2_147_483_647, somebody())).status).toBe(404);
  });

  test('has no effect on a comment that a moderator kept until the comment is edited; the report stores the text at the time of the report', async () => {
    const { id } = await publish(organizer);
    const [writer, reporter] = [somebody(), somebody()];
    const comment = await said(id, writer, 'Fine');
    await report(comment.id, reporter);
    expect((await moderate(comment.id, organizer, 'keep')).status).toBe(200);
    await report(comment.id, reporter);
    expect((await reported(organizer)).items.map((one) => one.id)).not.toContain(comment.id);
    time.now = new Date(time.now.getTime() + 1_000);
    await edit(comment.id, writer, 'Not fine');
    await report(comment.id, reporter, { reason: 'abuse' });
    await edit(comment.id, writer, 'Fine again');
    const found = (await reported(organizer)).items.find((one) => one.id === comment.id)!;
    expect(found.text).toBe('Fine again');
    expect(found.reports).toMatchObject([{ reason: 'abuse', text: 'Not fine', isSettled: false }]);
    await expectExact(id);
  });

  test('returns identity’s refusal for an account that reported too often', async () => {
    const { id } = await publish(organizer);
    const comment = await said(id, somebody(), 'Hello');
    community.reports.refuse(new HttpProblem(429, 'too-many-reports'));
    expect(outcome(await report(comment.id, somebody()))).toEqual([429, 'too-many-reports']);
    expect((await report(comment.id, somebody())).status).toBe(204);
  });
});

describe('moderating', () => {
  test('is allowed to the organizer and admins; each action is recorded with the moderator and the time', async () => {
    const { id } = await publish(organizer);
    const writer = somebody();
    const comment = await said(id, writer, 'Rude words');
    for (const other of [somebody(), writer, { id: 77, role: 'business' as const }])
      expect(outcome(await moderate(comment.id, other, 'hide'))).toEqual([403, 'forbidden']);
    expect((await moderate(comment.id, organizer, 'shout')).status).toBe(400);
    expect((await moderate(2_147_483_647, organizer, 'hide')).status).toBe(404);

    const hidden = await moderate(comment.id, organizer, 'hide');
    expect(hidden.headers.get('cache-tag')).toBe(`comments-${id}`);
    expect(hidden.body).toMatchObject({ state: 'hidden', text: 'Rude words', isHiddenByAdmin: false });
    expect(await page(id)).toMatchObject({ items: [], total: 0 });
    expect(outcome(await edit(comment.id, writer, 'Nice words'))).toEqual([409, 'comment-hidden']);
    expect(outcome(await post(id, writer, 'rude WORDS'))).toEqual([409, 'said-already']);
    expect((await reported(organizer, '?status=hidden')).items.map((one) => one.id)).toContain(comment.id);

    const restored = await moderate(comment.id, admin, 'restore');
    expect(textsOf((await page(id)).items)).toEqual(['Rude words']);
    expect(restored.body.log).toMatchObject([
      { action: 'restore', moderator: { id: admin.id }, isAdmin: true, at: time.now.toISOString() },
      { action: 'hide', moderator: { id: organizer.id }, isAdmin: false },
    ]);
    await expectExact(id);
  });

  test('a hidden comment with answers keeps its place; a hidden answer is not shown', async () => {
    const { id } = await publish(organizer);
    const comment = await said(id, somebody(), 'Rude');
    const answers = [
      await said(id, somebody(), 'Calm', { answerTo: comment.id }),
      await said(id, somebody(), 'Rude too', { answerTo: comment.id }),
    ];
    await moderate(comment.id, organizer, 'hide');
    await moderate(answers[1]!.id, organizer, 'hide');
    const { items, total } = await page(id);
    expect(items).toMatchObject([{ state: 'hidden', text: null, author: null, answerCount: 1 }]);
    expect(textsOf(items[0]!.answers)).toEqual(['Calm']);
    expect(total).toBe(1);
    expect(outcome(await post(id, somebody(), 'Late', { answerTo: comment.id }))).toEqual([409, 'comment-gone']);
    await moderate(answers[0]!.id, organizer, 'hide');
    expect((await page(id)).items).toEqual([]);
    await expectExact(id);
  });

  test('only an admin can restore what an admin hid, even if the organizer had hidden it first', async () => {
    const { id } = await publish(organizer);
    const [one, two] = [await said(id, somebody(), 'One'), await said(id, somebody(), 'Two')];
    await moderate(one.id, admin, 'hide');
    await moderate(two.id, organizer, 'hide');
    await moderate(two.id, admin, 'hide');
    for (const comment of [one, two])
      expect(outcome(await moderate(comment.id, organizer, 'restore'))).toEqual([403, 'forbidden']);
    // The organizer does not see which of the admins hid it.
    const found = (await reported(organizer, '?status=hidden')).items.find((each) => each.id === two.id)!;
    expect(found.isHiddenByAdmin).toBe(true);
    expect(found.log).toMatchObject([
      { isAdmin: true, moderator: null },
      { isAdmin: false, moderator: { id: organizer.id } },
    ]);
    expect((await moderate(one.id, admin, 'restore')).status).toBe(200);
    await expectExact(id);
  });

  test('of two concurrent hides only one counts, and keeping a hidden comment is refused', async () => {
    const { id } = await publish(organizer);
    const comment = await said(id, somebody(), 'Rude');
    await report(comment.id, somebody());
    const both = await Promise.all([moderate(comment.id, organizer, 'hide'), moderate(comment.id, organizer, 'hide')]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both[0]!.body.log).toHaveLength(1);
    expect(outcome(await moderate(comment.id, organizer, 'keep'))).toEqual([409, 'hidden-meanwhile']);
    const undone = await Promise.all([
      moderate(comment.id, organizer, 'restore'),
      moderate(comment.id, admin, 'restore'),
    ]);
    expect(undone.map(({ status }) => status)).toEqual([200, 200]);
    const { rows } = await community.pool.query(
      'select action from contribution_moderations where contribution_id = $1 order by id',
      [comment.id],
    );
    expect(rows.map(({ action }) => action as string)).toEqual(['hide', 'restore']);
    await expectExact(id);
  });

  test('a concurrent edit, deletion and hide give the result of one of their possible orders', async () => {
    const { id } = await publish(organizer);
    for (let round = 0; round < 6; round++) {
      const writer = somebody();
      const comment = await said(id, writer, `Words ${round}`);
      await said(id, somebody(), `Answer ${round}`, { answerTo: comment.id });
      const acts = [
        () => edit(comment.id, writer, `Other words ${round}`),
        () => remove(comment.id, writer),
        () => moderate(comment.id, organizer, 'hide'),
      ];
      const turned = [...acts.slice(round % 3), ...acts.slice(0, round % 3)];
      await Promise.all(turned.map((act) => act()));
      const { items } = await page(id, '?limit=1');
      // In any order, the comment is deleted and its text is gone.
      expect(items[0]).toMatchObject({ id: comment.id, state: 'deleted', text: null, author: null });
      const { rows } = await community.pool.query('select text from contributions where id = $1', [comment.id]);
      expect(rows).toEqual([{ text: null }]);
    }
    await expectExact(id);
  });

  test('lists the reported comments of an organizer’s own events, or all reported comments for admins, in pages', async () => {
    const [mine, theirs] = [somebody(), somebody()];
    const [here, there] = [await publish(mine), await publish(theirs)];
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

describe('several instances, which only the database synchronizes', () => {
  const nothing = () => undefined;
  /** Each call creates another instance. */
  const instance = () => ({
    pool: community.pool,
    turns: openTurns(),
    events: openEvents(community.pool, () => time.now),
    media: { post: async () => undefined },
    isUnlimited: false,
    notified: nothing,
    wakeNotifications: nothing,
    wakeCounts: nothing,
    clock: () => time.now,
  });
  const caller = ({ id }: Person) => ({
    id,
    name: 'Ann',
    email: 'ann@example.test',
    role: 'user' as const,
    sessionId: 'x',
    isVerified: true,
  });
  const comment = (as: Person, eventId: number, text: string, parentId?: number) =>
    write(instance(), caller(as), 'comment', { eventId, text, parentId }, undefined);
  const statuses = async (all: Promise<unknown>[]) => {
    const ends = await Promise.allSettled(all);
    return ends.map((end) => (end.status === 'fulfilled' ? 'done' : (end.reason as { code: string }).code));
  };

  test('share the limit of six per account, and refuse a repeated text', async () => {
    const author = somebody();
    const events = await Promise.all(Array.from({ length: 9 }, async () => (await publish(organizer)).id));
    const everywhere = events.map((eventId) => comment(author, eventId, 'Everywhere'));
    expect((await statuses(everywhere)).filter((end) => end === 'done')).toHaveLength(6);

    const other = somebody();
    const same = Array.from({ length: 5 }, () => comment(other, events[0]!, 'Once'));
    expect((await statuses(same)).sort()).toEqual([
      'done',
      'said-already',
      'said-already',
      'said-already',
      'said-already',
    ]);
    await expectExact(events[0]!);
  });

  test('hide, restore, answer and delete, and the counts stay correct', async () => {
    const { id: eventId } = await publish(organizer);
    const moderator = { id: organizer.id, name: 'Olga', isAdmin: false };
    for (let round = 0; round < 5; round++) {
      const { id } = await said(eventId, somebody(), `Question ${round}`);
      const act = (action: 'hide' | 'restore') => moderateNow(instance(), 'comment', id, { moderator, action });
      const answer = () => comment(somebody(), eventId, 'Hm', id);
      const ends = await statuses([
        answer(),
        act('hide'),
        act('hide'),
        answer(),
        act('restore'),
        removeForGood(instance(), { kind: 'comment', id, parentId: null, eventId }),
        answer(),
      ]);
      for (const end of ends) expect(['done', 'not-found', 'comment-gone']).toContain(end);
      await expectExact(eventId);
    }
  });
});

describe('an answer to another account’s comment', () => {
  const bell = async ({ id }: Person) => (await community.list(id)).items;

  test('notifies the comment’s author once, however often it is sent; an answer to one’s own comment does not notify', async () => {
    const { id: eventId, title } = await publish(organizer);
    const [author, other, key] = [somebody(), somebody(), randomUUID()];
    const { id: answerTo } = await said(eventId, author, 'Is there parking?');
    for (const _ of [1, 2]) await said(eventId, other, 'Behind the hall.', { answerTo, key });
    await said(eventId, author, 'Thank you!', { answerTo });
    // The notification contains neither the text nor a name.
    expect(await bell(author)).toMatchObject([
      { title: 'New reply to your comment', text: `On ${title}`, path: `/event/${eventId}#comments` },
    ]);
    expect(await bell(other)).toEqual([]);
  });

  test('shares one notification with all other answers to the same comment within the same clock hour', async () => {
    const { id: eventId } = await publish(organizer);
    const author = somebody();
    const { id: answerTo } = await said(eventId, author, 'Is there parking?');
    for (const n of [1, 2]) await said(eventId, somebody(), `Answer ${n}`, { answerTo });
    expect(await bell(author)).toMatchObject([{ title: '2 new replies to your comment' }]);
  });
});

test('an export has a person’s comments, and an erasure removes their text', async () => {
  const { id } = await publish(organizer);
  const [ada, bob] = [person({ name: 'Ada Lovelace-Erased' }), somebody()];
  const withAnswer = await said(id, ada, 'Ada was here and asked something');
  await said(id, bob, 'Bob answers', { answerTo: withAnswer.id });
  const other = await said(id, ada, 'Ada said something else');
  await report(other.id, bob);
  const headers = { 'x-internal-token': INTERNAL_TOKEN };
  const part = await (await fetch(`${community.url}/internal/people/${ada.id}`, { headers })).json();
  expect(part).toMatchObject({
    comments: [{ text: 'Ada said something else' }, { text: 'Ada was here and asked something' }],
    isComplete: true,
  });
  expect(JSON.stringify(part)).not.toContain('Bob answers');
  for (const _ of [1, 2]) await community.erase(ada.id);
  const { rows: tables } = await community.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const contents = await Promise.all(
    tables.map(({ name }) => community.pool.query(`select to_json(t)::text as row from "${name}" t`)),
  );
  expect(JSON.stringify(contents.map(({ rows }) => rows as unknown))).not.toMatch(/Ada Lovelace|Ada was here|Ada said/);
  const { items } = await page(id);
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ text: null, answers: [{ text: 'Bob answers' }] });
  await expectExact(id);
});

test('the bus message with the number of comments matches its contract', () => {
  const agreed = golden('realtime.comments-counted.v1');
  expect(CommentsCountedV1.strict().parse(agreed)).toEqual(agreed);
});

test('a rebuild keeps comments, answers, counts, reports and moderators’ actions', async () => {
  const { id } = await publish(organizer);
  const comment = await said(id, somebody(), 'Kept');
  await said(id, somebody(), 'An answer', { answerTo: comment.id });
  const bad = await said(id, somebody(), 'Rude');
  await report(comment.id, somebody());
  await moderate(bad.id, organizer, 'hide');
  const before = [await page(id), await reported(organizer), await reported(organizer, '?status=hidden')];
  await rebuild(community.databaseUrl);
  expect([await page(id), await reported(organizer), await reported(organizer, '?status=hidden')]).toEqual(before);
  await expectExact(id);
});

describe('two people after one blocks the other', () => {
  const block = (by: Person, whom: Person, method = 'POST') => call(method, `/api/blocks/${whom.id}`, by);
  const blockedOf = (eventId: number, as: Person | undefined) =>
    call<BlockedAuthors>('GET', `/api/events/${eventId}/comments/blocked`, as);

  test.each(['Ann', 'Bob'])('do not see and cannot answer each other’s comments when %s blocks', async (who) => {
    const { id } = await publish(organizer);
    const [ann, bob, cid] = [somebody(), somebody(), somebody()];
    const { body: hers } = await post(id, ann, 'Who comes along?');
    const { body: theirs } = await post(id, cid, 'Somebody else');
    const [by, whom] = who === 'Ann' ? [ann, bob] : [bob, ann];
    expect((await blockedOf(id, bob)).body.authors).toEqual([]);
    expect((await block(by, whom)).status).toBe(204);

    expect((await blockedOf(id, bob)).body.authors).toEqual([ann.id]);
    expect((await blockedOf(id, cid)).body.authors).toEqual([]);
    // Bob has not written a comment on this event yet, so Ann's list does not contain Bob.
    expect((await blockedOf(id, ann)).body.authors).toEqual([]);
    expect((await post(id, bob, 'Me!', { answerTo: hers.id })).status).toBe(404);
    expect((await post(id, bob, 'Not me', { answerTo: theirs.id })).status).toBe(201);
    expect((await blockedOf(id, ann)).body.authors).toEqual([bob.id]);

    await block(by, whom, 'DELETE');
    expect((await blockedOf(id, ann)).body.authors).toEqual([]);
    expect((await post(id, bob, 'Me!', { answerTo: hers.id })).status).toBe(201);
  });

  test('are not notified of each other’s comments; moderators see every author’s comments and can answer them', async () => {
    const owner = somebody();
    const { id } = await publish(owner);
    const [ann, eve] = [somebody(), somebody()];
    const { body: hers } = await post(id, ann, 'Is there parking?');
    await block(ann, owner);
    expect((await blockedOf(id, owner)).body.authors).toEqual([]);
    expect((await blockedOf(id, { ...eve, role: 'admin' })).body.authors).toEqual([]);
    expect((await post(id, owner, 'Yes, there is', { answerTo: hers.id })).status).toBe(201);
    const rung = async () =>
      (await community.list(ann.id)).items.filter(({ kind }: { kind: string }) => kind === 'comment-answered');
    expect(await rung()).toEqual([]);
    expect((await post(id, eve, 'At the back', { answerTo: hers.id })).status).toBe(201);
    expect(await rung()).toHaveLength(1);
  });

  test('the list of authors whose comments are hidden needs a signed-in reader and an existing event', async () => {
    const { id } = await publish(organizer);
    expect((await blockedOf(id, undefined)).status).toBe(401);
    expect((await blockedOf(999_999, somebody())).status).toBe(404);
  });
});

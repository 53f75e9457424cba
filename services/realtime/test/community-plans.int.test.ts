import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventStoreMigrations } from '@beltway/event-store/migrations';
import { openPool } from '@beltway/kit/postgres';
import { testDatabase, type TestDatabase } from '@beltway/kit/testing';
import { BY_INDEX, fillTables, plansOf } from '@beltway/kit/testing-plans';
import { reportedMessages } from '../src/chat/queries.ts';
import { blockedBy, blocksAmong } from '../src/community/blocks.ts';
import { followersOfQuestion } from '../src/contributions/followers.ts';
import { placeNamed } from '../src/contributions/places.ts';
import { reportedComments } from '../src/contributions/reported.ts';
import { pageOf, type ThreadQuery } from '../src/contributions/rows.ts';

// Feeds and a board of 100,000 people. Each page of a list reads about as many rows as it shows.

const PEOPLE = 100_000;
const READER = 4_711;
/** An account that blocks many others. */
const BLOCKER = 4_713;
/**
 * The number of a post, a question and a comment below which every tenth person wrote. The event with this number also
 * has that many comments.
 */
const TALKED_ABOUT = 777;
/** Posts have the first ids, then questions, comments, and contributions below them. */
const [QUESTIONS, COMMENTS, BELOW] = [PEOPLE, 2 * PEOPLE, 3 * PEOPLE];
const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await testDatabase([
    eventStoreMigrations,
    ...['inbox', 'leases', 'jobs', 'erasures', 'requests', 'moderated'].map((name) =>
      folder(`../../../packages/kit/migrations/${name}`),
    ),
    folder('../prisma/migrations'),
  ]);
  pool = openPool(database.url, { options: BY_INDEX, statement_timeout: 0, query_timeout: 0 });
  // Each person wrote one post and one question and blocked one account. One in a hundred contributions is hidden, and
  // half of all contributions are about Washington.
  await fillTables(
    pool,
    `
    insert into community_people (user_id, name, registered_at) select id, 'Person ' || id, now() from generate_series(1, ${PEOPLE}) id;
    insert into community_blocks (user_id, blocked_id, created_at)
    select id, id % ${PEOPLE} + 1, now() from generate_series(1, ${PEOPLE}) id;
    insert into contributions (kind, author_id, event_id, text, place_id, town_id, created_at, hidden_at)
    select 'post', (id * 7919) % ${PEOPLE} + 1, id % 500, 'Post ' || id, case id % 2 when 0 then 'the-anthem-dc-venue' else 'bethesda-md' end,
      case id % 2 when 0 then 'washington-dc' else 'bethesda-md' end, now(), case when id % 100 = 0 then now() end
    from generate_series(1, ${PEOPLE}) id;
    insert into contributions (kind, author_id, text, category, place_id, town_id, event_id, accepted_id, is_pinned, created_at)
    select 'question', id, 'Where is everybody? ' || case when id % 10000 = 0 then 'Unicorns' else 'Parking ' || id % 50 end,
      (array['general', 'tickets', 'venues', 'food'])[id % 4 + 1], case id % 2 when 0 then 'the-anthem-dc-venue' else 'bethesda-md' end,
      case id % 2 when 0 then 'washington-dc' else 'bethesda-md' end, case when id % 3 = 0 then id % 500 end,
      case when id % 100 <> 0 then 1 end, id % 1000 = 0, now()
    from generate_series(1, ${PEOPLE}) id;
    insert into contributions (kind, author_id, event_id, parent_id, text, below, created_at)
    select 'comment', id, case when id % 10 = 0 then ${TALKED_ABOUT} else id end, null, 'Comment ' || id, 0, now()
    from generate_series(1, ${PEOPLE}) id;
    insert into contributions (kind, author_id, parent_id, text, created_at)
    select kind, id, first + case when id % 10 = 0 then ${TALKED_ABOUT} else id end, 'Below ' || id, now()
    from generate_series(1, ${PEOPLE}) id, (values ('post-comment', 0), ('answer', ${QUESTIONS}), ('comment', ${COMMENTS})) kinds (kind, first)
    order by kind, id;
    insert into contribution_marks (contribution_id, mark, user_id, created_at)
    select ${QUESTIONS} + case when id % 10 = 0 then ${TALKED_ABOUT} else id end, 'follow', id, now() from generate_series(1, ${PEOPLE}) id;
    insert into community_blocks (user_id, blocked_id, created_at)
    select ${BLOCKER}, id * 31, now() from generate_series(1, 900) id on conflict do nothing;
    insert into chat_events (event_id, owner_id, title, status, version)
    select id, id % 50 + 1, 'Event ' || id, 'published', 1 from generate_series(1, 5000) id;
    insert into chat_messages (room, seq, version, id, user_id, user_name, message, is_system, is_organizer, created_at)
    select (id % 500 + 1)::text, id / 500 + 1, id / 500 + 1, gen_random_uuid(), id, 'Person ' || id, 'Message ' || id, false, false,
      now() - id * interval '1 second'
    from generate_series(1, ${PEOPLE}) id;
    insert into chat_rooms (room, seq, is_active, slow_mode_seconds) select id::text, 200, true, 0 from generate_series(1, 5000) id;
    insert into chat_reaction_counts (room, seq, counts) select room, seq, '{}' from chat_messages where user_id % 2 = 0;
    insert into moderated_contents (kind, content_id, reports, settled)
    select 'message', room || '.' || seq, 1, case when user_id % 1005 = 0 then 0 else 1 end from chat_messages where user_id % 5 = 0;
    insert into moderated_contents (kind, content_id, reports, settled)
    select 'comment', id, 1, case when id % 2010 = 0 then 0 else 1 end from contributions where kind = 'comment' and id % 5 = 0`,
  );
}, 240_000);
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const reader = { id: READER, role: 'user' as const };
/** The duration of the fastest of several runs, because other tests run concurrently. */
async function soonest(took: () => Promise<number>): Promise<number> {
  let ms = await took();
  for (let n = 0; n < 20 && ms >= 50; n++) ms = Math.min(ms, await took());
  return ms;
}
const followed = Array.from({ length: 1_000 }, (_, n) => n * 97 + 1);

type Page = [what: string, query: Partial<ThreadQuery>, most: number];
const [washington, bethesda] = [placeNamed('Washington, DC', 'place'), placeNamed('bethesda-md', 'place')];
const posts: Page[] = [
  ['all posts', {}, 200],
  ['all posts, deep down', { cursor: 5_000 }, 200],
  ['posts of a town', { place: washington }, 200],
  ['posts of a place', { place: bethesda, cursor: 60_000 }, 200],
  ['posts of an author', { authorId: 4242 }, 50],
  ['posts about an event', { eventId: 77 }, 200],
  ['posts of a thousand organizers that one follows', { authors: followed }, 3_000],
];
const questions: Page[] = [
  ['all questions', {}, 200],
  ['all questions, deep down', { cursor: QUESTIONS + 5_000, isCursorPinned: false }, 200],
  ['questions of a category', { category: 'food' }, 200],
  ['questions of a town', { place: washington }, 300],
  ['questions of a place', { place: bethesda, cursor: QUESTIONS + 60_000, isCursorPinned: false }, 300],
  ['questions about an event', { eventId: 42 }, 200],
  ['questions without an answer', { isAnswered: false }, 300],
  ['questions without an answer, of a category', { isAnswered: false, category: 'general' }, 300],
  ['questions with a rare word', { words: 'unicorn' }, 200],
  ['questions with a word that is in every fiftieth', { words: 'parking 7' }, 8_000],
  ['questions with a word that is everywhere', { words: 'everybody' }, 2_000],
];
const threads: Page[] = [
  ...[undefined, 50_000].flatMap((cursor): Page[] => {
    const after = (first: number) => cursor && first + cursor;
    return [
      [`comments of an event behind ${cursor}`, { kind: 'comment', eventId: TALKED_ABOUT, order: 'newest' }, 200],
      [`answers to a comment behind ${cursor}`, { kind: 'comment', parentId: COMMENTS + TALKED_ABOUT, cursor }, 200],
      [
        `comments on a post behind ${cursor}`,
        { kind: 'post-comment', parentId: TALKED_ABOUT, cursor: after(BELOW) },
        200,
      ],
      [
        `answers to a question behind ${cursor}`,
        { kind: 'answer', parentId: QUESTIONS + TALKED_ABOUT, cursor: after(BELOW) },
        200,
      ],
    ];
  }),
];

test.each<Page>([
  ...posts.map(([what, query, most]): Page => [what, { kind: 'post', order: 'newest', ...query }, most]),
  ...questions.map(([what, query, most]): Page => [what, { kind: 'question', order: 'pinned', ...query }, most]),
  ...threads.map(([what, query, most]): Page => [what, { order: 'oldest', ...query }, most]),
])('%s: the page reads little and takes less than 50 ms', async (_what, query, most) => {
  const page = (db: Pool) => pageOf(db, reader, { limit: 20, ...query } as ThreadQuery, ({ id }) => id);
  const ran = async () => (await plansOf(pool, page)).plans;
  const { answer, plans } = await plansOf(pool, page);
  expect(answer.items.length).toBeGreaterThan(query.authorId ? 0 : 1);
  expect(plans.flatMap(({ scanned }) => scanned)).toEqual([]);
  expect(plans.reduce((sum, { read }) => sum + read, 0)).toBeLessThan(most);
  const took = async () => (await ran()).reduce((sum, { ms }) => sum + ms, 0);
  expect(await soonest(took)).toBeLessThan(50);
});

/** Blocked and notified accounts, and reports: `[what, page, rows that it may read]`. */
const identity = { post: async () => ({ items: [] }) };
const lists: Array<[what: string, list: (db: Pool) => Promise<unknown[]>, most: number]> = [
  ...[undefined, 100_500].map((cursor): (typeof lists)[number] => [
    `whom one blocks behind ${cursor}`,
    async (db) => (await blockedBy(db, BLOCKER, { cursor, limit: 20 })).items,
    100,
  ]),
  [
    'the blocks among fifty people',
    (db) =>
      blocksAmong(
        db,
        BLOCKER,
        Array.from({ length: 50 }, (_, n) => (n + 1) * 31),
      ),
    200,
  ],
  [
    'who is notified of an answer',
    async (db) => {
      const reply = { questionId: QUESTIONS + TALKED_ABOUT, answerId: BELOW + 1, authorId: READER };
      return followersOfQuestion(db, reply, { after: 40_000, limit: 20 });
    },
    200,
  ],
  // All open reports are sorted. Moderators settle reports, so only few are open.
  [
    'messages that were reported',
    async (db) => (await reportedMessages({ pool: db, identity }, { ownerId: null, limit: 20 })).items,
    1_000,
  ],
  [
    'messages that were reported to an organizer',
    async (db) => (await reportedMessages({ pool: db, identity }, { ownerId: 7, limit: 20 })).items,
    1_000,
  ],
  [
    'comments that were reported',
    async (db) => {
      const moderator = { id: READER, isAdmin: true };
      const deps = { pool: db, moderated: { pool: db, identity, kinds: [] } };
      return (await reportedComments(deps, moderator, { status: 'open', limit: 20 })).items;
    },
    1_500,
  ],
];

test.each(lists)('%s: an index is used', async (_what, list, most) => {
  const { answer, plans } = await plansOf(pool, list);
  expect(answer.length).toBeGreaterThan(1);
  for (const plan of plans) {
    expect(plan.scanned, plan.text).toEqual([]);
    expect(plan.sorted, plan.text).toBeLessThanOrEqual(100);
  }
  expect(plans.reduce((sum, { read }) => sum + read, 0)).toBeLessThanOrEqual(most);
});

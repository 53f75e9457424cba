import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type {
  BlockPage,
  Likes,
  PostComment,
  PostCommentPage,
  Shares,
  SocialPost,
  SocialPostPage,
} from '@beltway/contracts/realtime/community';
import { HttpProblem } from '@beltway/kit/problems';
import { INTERNAL_TOKEN } from './realtime.ts';
import { TRICKS, admin, person, startCommunity, type Community, type Person } from './community.ts';

let community: Community;
/**
 * The accounts that each account follows, for the catalog's responses; and the pictures that media was asked to keep.
 */
const follows = new Map<number, number[]>();
const kept: string[] = [];
let keep: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  community = await startCommunity({
    catalog: {
      get: async (path) => {
        const [, id] = /^\/internal\/following\/(\d+)$/.exec(path) ?? [];
        return { accounts: id === undefined ? [] : (follows.get(Number(id)) ?? []) };
      },
    },
    media: {
      post: async (_path, body) => {
        await keep();
        kept.push((body as { url: string }).url);
      },
    },
  });
});
afterAll(() => community.close());
beforeEach(() => {
  keep = async () => undefined;
});

let lastEvent = 900;
const newEvent = () => ++lastEvent;
const picture = (digit: string) => `/media/images/${digit.repeat(64)}-0a0b0c-large.webp`;

const post = (as: Person, more: object = {}, key?: string) =>
  community.ask<SocialPost>('POST', '/api/social-posts', {
    ...{ as, body: { content: 'Go-Go tonight', ...more } },
    ...(key !== undefined && { key }),
  });
async function posted(as: Person, more: object = {}): Promise<SocialPost> {
  const { status, body } = await post(as, more);
  expect([status, body]).toMatchObject([201, {}]);
  return body;
}
const read = (id: number, as?: Person) => community.ask<SocialPost>('GET', `/api/social-posts/${id}`, { as });
const feed = async (query: string, as?: Person) => {
  const { status, body } = await community.ask<SocialPostPage>('GET', `/api/social-posts?${query}`, { as });
  expect(status).toBe(200);
  return body;
};
const idsOf = (page: SocialPostPage) => page.items.map(({ id }) => id);
const comment = (as: Person, postId: number, text: unknown = 'See you there', key?: string) =>
  community.ask<PostComment>('POST', `/api/social-posts/${postId}/comments`, {
    ...{ as, body: { text } },
    ...(key !== undefined && { key }),
  });
const commentsOf = async (postId: number, as?: Person, query = '') =>
  (await community.ask<PostCommentPage>('GET', `/api/social-posts/${postId}/comments?${query}`, { as })).body;

describe('a post', () => {
  test('is plain text for every reader, with its author’s current name', async () => {
    const ann = person({ name: 'Ann' });
    const written = await posted(ann, { content: ' <b>Hi</b>\n\n\n\nhttps://evil.test \u{1f389} ' });
    expect(written).toMatchObject({ userName: 'Ann', isOwn: true, mayRemove: true, type: 'text', place: null });
    expect(written.content).toBe('<b>Hi</b>\n\nhttps://evil.test \u{1f389}');
    await posted({ ...ann, name: 'Ann Lee' });
    const { body, headers } = await read(written.id);
    expect(body).toMatchObject({ userName: 'Ann Lee', isOwn: false, mayRemove: false, isLiked: false, editedAt: null });
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(body).not.toHaveProperty('ownerId');
  });

  test('shows whether its author has a public profile, by the latest choice, whether before or after the post', async () => {
    const [ann, bob] = [person(), person()];
    await community.choose(bob, true);
    const { id } = await posted(ann);
    expect((await comment(bob, id)).body.hasProfile).toBe(true);
    expect((await read(id)).body.hasProfile).toBe(false);
    await community.choose(ann, true);
    expect((await read(id)).body.hasProfile).toBe(true);
    expect((await feed(`author=${ann.id}`)).items.map(({ hasProfile }) => hasProfile)).toEqual([true]);
    await community.register(ann, 48);
    expect((await read(id)).body.hasProfile).toBe(true);
    await community.choose(ann, false);
    await community.choose(bob, false);
    expect((await read(id)).body.hasProfile).toBe(false);
    expect((await commentsOf(id)).items.map(({ hasProfile }) => hasProfile)).toEqual([false]);
  });

  test('after an erasure, a late message about the account’s public profile stores nothing', async () => {
    const ann = person();
    await community.pool.query('insert into erasures (user_id, erased_at) values ($1, now())', [ann.id]);
    await community.choose(ann, true);
    expect((await community.pool.query('select from community_people where user_id = $1', [ann.id])).rowCount).toBe(0);
  });

  test('can be about an event, and then has the event’s place; a post by the organizer is marked', async () => {
    const [owner, guest, eventId] = [person(), person(), newEvent()];
    await community.publish(eventId, owner.id, 'Tally Ho Theater, Leesburg, VA');
    const [one, other] = [await posted(owner, { eventId }), await posted(guest, { eventId, place: 'Bethesda, MD' })];
    expect(one).toMatchObject({ type: 'event', eventId, eventTitle: 'Go-Go Night', isOrganizer: true });
    expect(one.place).toMatchObject({ state: 'VA' });
    expect(other).toMatchObject({ isOrganizer: false, place: { id: 'bethesda-md', name: 'Bethesda', state: 'MD' } });
    expect(idsOf(await feed(`eventId=${eventId}`))).toEqual([other.id, one.id]);
  });

  test('refers to a picture only after media kept it; if the picture is gone or media is down, the post is refused', async () => {
    const ann = person();
    expect(await posted(ann, { imageUrl: picture('a') })).toMatchObject({ type: 'photo', imageUrl: picture('a') });
    expect(kept).toContain(picture('a'));
    keep = () => Promise.reject(new HttpProblem(404, 'not-found.image'));
    const gone = await post(ann, { imageUrl: picture('b') });
    expect([gone.status, gone.body.errors?.[0]?.field]).toEqual([400, 'imageUrl']);
    keep = () => Promise.reject(new Error('media is away'));
    const away = await post(ann, { imageUrl: picture('b') });
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '3']);
    expect(idsOf(await feed(`author=${ann.id}`))).toHaveLength(1);
  });

  test.each([
    'https://evil.test/a.webp',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    '/media/images/../posters/1.webp',
    `/media/gallery/${'a'.repeat(64)}-0a0b0c-large.webp`,
    picture('a').replace('large', 'small'),
    7,
  ])('cannot have a picture from %s', async (imageUrl) => {
    const { status, body } = await post(person(), { imageUrl });
    expect([status, body.errors?.[0]?.field]).toEqual([400, 'imageUrl']);
  });

  test('pictures of posts, even of hidden posts, are reported to media as used; pictures of deleted posts are not', async () => {
    const ann = person();
    const [shown, hidden, deleted] = [
      await posted(ann, { imageUrl: picture('1') }),
      await posted(ann, { imageUrl: picture('2') }),
      await posted(ann, { imageUrl: picture('3') }),
    ];
    await community.ask('DELETE', `/api/social-posts/${hidden.id}`, { as: admin() });
    await community.ask('DELETE', `/api/social-posts/${deleted.id}`, { as: ann });
    const asked = async (token: string) => {
      const response = await fetch(`${community.url}/internal/pictures/named`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-internal-token': token },
        body: JSON.stringify({ urls: ['1', '2', '3', '4'].map(picture) }),
      });
      return response.status === 200 ? ((await response.json()) as unknown) : response.status;
    };
    expect(await asked(INTERNAL_TOKEN)).toEqual({ named: [picture('1'), picture('2')] });
    expect(await asked('x')).toBe(403);
    expect(shown.imageUrl).toBe(picture('1'));
  });

  test.each(TRICKS)('refuses %s as its text', async (_what, content) => {
    const { status, body } = await post(person(), { content });
    expect([status, body.errors?.[0]?.field]).toEqual([400, 'content']);
  });

  test.each<[string, object]>([
    ['content', { content: 'a'.repeat(2_001) }],
    ['eventId', { eventId: 'x' }],
    ['eventId', { eventId: 99_999 }],
    ['eventId', { eventId: 2 ** 31 }],
    ['place', { place: 'Atlantis' }],
    ['place', { place: 'Chicago, IL' }],
    ['likes', { likes: 1_000 }],
    ['userId', { userId: 1 }],
  ])('refuses an invalid %s with the name of the field: %j', async (field, more) => {
    const { status, body } = await post(person(), more);
    expect([status, body.errors?.[0]?.field]).toEqual([400, field]);
  });

  test('needs an account; a post whose id is not a number is 404', async () => {
    expect((await community.ask('POST', '/api/social-posts', { body: { content: 'Hi' } })).status).toBe(401);
    for (const id of ['0', '-1', 'x', '99999999999', '1.5', '%00'])
      expect((await community.ask('GET', `/api/social-posts/${id}`)).status).toBe(404);
  });

  test('sent twice with one key is stored once; a different post with that key is refused; a deleted post is not restored', async () => {
    const [ann, key] = [person(), randomUUID()];
    const both = await Promise.all([post(ann, {}, key), post(ann, {}, key)]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(both[0].body.id).toBe(both[1].body.id);
    expect((await post(ann, { content: 'Else' }, key)).status).toBe(422);
    expect((await post(person(), { content: 'Else' }, key)).status).toBe(201);
    await community.ask('DELETE', `/api/social-posts/${both[0].body.id}`, { as: ann });
    const again = await post(ann, {}, key);
    expect([again.status, again.body.code]).toEqual([409, 'post-gone']);
    expect((await post(ann, {}, 'short')).status).toBe(400);
  });

  test('can be changed only by its author', async () => {
    const ann = person();
    const { id } = await posted(ann, { imageUrl: picture('c') });
    const change = (as: Person, body: unknown) =>
      community.ask<SocialPost>('PATCH', `/api/social-posts/${id}`, { as, body });
    expect((await change(person(), { content: 'Mine' })).status).toBe(403);
    expect((await change(admin(), { content: 'Mine' })).status).toBe(403);
    const before = kept.length;
    const changed = await change(ann, { content: 'Later', imageUrl: picture('c') });
    expect(changed.body).toMatchObject({ content: 'Later', imageUrl: picture('c') });
    expect(changed.body.editedAt).not.toBeNull();
    expect(kept).toHaveLength(before);
    const same = await change(ann, { content: 'Later' });
    expect(same.body.editedAt).toBe(changed.body.editedAt);
    expect((await change(ann, { imageUrl: null })).body).toMatchObject({ imageUrl: null, type: 'text' });
    expect((await change(ann, {})).status).toBe(400);
    expect((await change(ann, { content: '\u202e' })).body.errors?.[0]?.field).toBe('content');
    expect((await change(ann, { eventId: 1 })).status).toBe(400);
  });

  test('can be deleted by its author with everything below it, and hidden by the event’s owner and by admins', async () => {
    const [owner, ann, bob, eventId] = [person(), person(), person(), newEvent()];
    await community.publish(eventId, owner.id);
    const [one, two, three] = [
      await posted(ann, { eventId }),
      await posted(ann, { eventId }),
      await posted(ann, { eventId }),
    ];
    await comment(bob, one.id);
    const remove = async (id: number, as: Person) =>
      (await community.ask('DELETE', `/api/social-posts/${id}`, { as })).status;
    expect(await remove(one.id, bob)).toBe(403);
    expect([await remove(one.id, ann), await remove(one.id, ann)]).toEqual([204, 204]);
    expect([await remove(two.id, owner), await remove(three.id, admin())]).toEqual([204, 204]);
    expect(idsOf(await feed(`eventId=${eventId}`, ann))).toEqual([]);
    for (const { id } of [one, two, three])
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/comments'],
        ['POST', '/like'],
        ['DELETE', '/like'],
        ['POST', '/share'],
      ] as const)
        expect((await community.ask(method, `/api/social-posts/${id}${path}`, { as: ann })).status).toBe(404);
    expect((await comment(bob, two.id)).status).toBe(404);
    const { rows } = await community.pool.query('select id from contributions where event_id = $1 order by id', [
      eventId,
    ]);
    expect(rows).toEqual([{ id: two.id }, { id: three.id }]);
    // After a moderator restored the post, it is visible again.
    await community.decide('post', two.id, 'restore');
    await community.decide('post', two.id, 'restore');
    expect((await read(two.id)).status).toBe(200);
  });
});

describe('likes and shares', () => {
  test('count once for each account, even with concurrent calls; a like can be withdrawn', async () => {
    const [ann, bob] = [person(), person()];
    const { id } = await posted(ann);
    const like = (as: Person, method = 'POST') => community.ask<Likes>(method, `/api/social-posts/${id}/like`, { as });
    await Promise.all([like(bob), like(bob), like(bob), like(ann)]);
    expect((await like(bob)).body).toEqual({ likes: 2, isLiked: true });
    expect((await read(id, bob)).body).toMatchObject({ likes: 2, isLiked: true });
    await Promise.all([like(bob, 'DELETE'), like(bob, 'DELETE')]);
    expect((await like(bob, 'DELETE')).body).toEqual({ likes: 1, isLiked: false });
    const share = (as: Person) => community.ask<Shares>('POST', `/api/social-posts/${id}/share`, { as });
    await Promise.all([share(bob), share(bob), share(ann)]);
    expect((await share(bob)).body).toEqual({ shares: 2 });
    expect((await community.ask('POST', `/api/social-posts/${id}/like`)).status).toBe(401);
    expect((await community.ask('POST', `/api/social-posts/${id}/share`)).status).toBe(401);
  });

  test('that race with the deletion of their post are refused or deleted with it', async () => {
    const ann = person();
    const { id } = await posted(ann);
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => community.ask('POST', `/api/social-posts/${id}/like`, { as: person() })),
      community.ask('DELETE', `/api/social-posts/${id}`, { as: ann }),
      ...Array.from({ length: 5 }, () => comment(person(), id)),
    ]);
    // 409: the comment was written, but deleted with the post before it was read back.
    for (const { status, body } of answers)
      expect([200, 201, 204, 404, 'comment-gone']).toContain(status === 409 ? body.code : status);
    const { rowCount } = await community.pool.query('select from contribution_marks where contribution_id = $1', [id]);
    expect(rowCount).toBe(0);
  });
});

describe('comments', () => {
  test('are listed below a post, oldest first and page by page, and are counted', async () => {
    const [ann, bob] = [person(), person({ name: 'Bob' })];
    const { id } = await posted(ann);
    const key = randomUUID();
    const first = await comment(bob, id, 'One', key);
    expect([first.status, first.body]).toMatchObject([201, { userName: 'Bob', text: 'One', isOwn: true, postId: id }]);
    expect((await comment(bob, id, 'One', key)).body.id).toBe(first.body.id);
    for (const text of ['Two', 'Three']) await comment(ann, id, text);
    const page = await commentsOf(id, undefined, 'limit=2');
    expect(page.items.map(({ text, mayRemove }) => [text, mayRemove])).toEqual([
      ['One', false],
      ['Two', false],
    ]);
    const rest = await commentsOf(id, ann, `limit=2&cursor=${page.nextCursor}`);
    expect([rest.items.map(({ text, mayRemove }) => [text, mayRemove]), rest.nextCursor]).toEqual([
      [['Three', true]],
      null,
    ]);
    expect((await read(id)).body.comments).toBe(3);
  });

  test('are removed only by their author, the post’s author and moderators', async () => {
    const [ann, bob, cy] = [person(), person(), person()];
    const { id } = await posted(ann);
    const [one, two, three] = [
      (await comment(bob, id, 'One')).body,
      (await comment(bob, id, 'Two')).body,
      (await comment(bob, id, 'Three')).body,
    ];
    const remove = async (commentId: number, as: Person, postId = id) =>
      (await community.ask('DELETE', `/api/social-posts/${postId}/comments/${commentId}`, { as })).status;
    expect(await remove(one.id, cy)).toBe(403);
    const other = await posted(cy);
    expect(await remove(one.id, cy, other.id)).toBe(204);
    expect((await read(id)).body.comments).toBe(3);
    expect([await remove(one.id, bob), await remove(one.id, bob)]).toEqual([204, 204]);
    expect([await remove(two.id, ann), await remove(three.id, admin())]).toEqual([204, 204]);
    expect([(await read(id)).body.comments, (await commentsOf(id, bob)).items]).toEqual([0, []]);
    // A comment that was hidden and is then deleted is not subtracted twice.
    expect(await remove(two.id, bob)).toBe(204);
    expect((await read(id)).body.comments).toBe(0);
    await community.decide('post-comment', three.id, 'restore');
    expect((await read(id)).body.comments).toBe(1);
  });

  test.each(TRICKS)('refuse %s', async (_what, text) => {
    const { id } = await posted(person());
    const { status, body } = await comment(person(), id, text === undefined ? null : text);
    expect([status, body.errors?.[0]?.field]).toEqual([400, 'text']);
  });

  test('have at most 500 characters', async () => {
    const { id } = await posted(person());
    expect((await comment(person(), id, 'a'.repeat(500))).status).toBe(201);
    expect((await comment(person(), id, 'a'.repeat(501))).status).toBe(400);
  });
});

describe('feeds', () => {
  test('are paged, newest first, and skip no post, even if posts are written or deleted in between', async () => {
    const ann = person();
    const all: number[] = [];
    for (let n = 0; n < 5; n++) all.unshift((await posted(ann)).id);
    const first = await feed(`author=${ann.id}&limit=2`);
    await posted(ann);
    await community.ask('DELETE', `/api/social-posts/${all[1]}`, { as: ann });
    const second = await feed(`author=${ann.id}&limit=2&cursor=${first.nextCursor}`);
    const third = await feed(`author=${ann.id}&limit=2&cursor=${second.nextCursor}`);
    expect([idsOf(first), idsOf(second), idsOf(third), third.nextCursor]).toEqual([
      ...[all.slice(0, 2), all.slice(2, 4), all.slice(4)],
      null,
    ]);
  });

  test('list a town’s posts, or a venue’s; the spelling of the name may vary', async () => {
    const ann = person();
    const anthem = await posted(ann, { place: 'The Anthem' });
    const navyYard = await posted(ann, { place: 'Navy Yard, DC' });
    const bethesda = await posted(ann, { place: 'bethesda-md' });
    const by = async (place: string) => idsOf(await feed(`author=${ann.id}&place=${encodeURIComponent(place)}`));
    expect(await by('Washington, DC')).toEqual([navyYard.id, anthem.id]);
    expect(await by('the anthem')).toEqual([anthem.id]);
    expect(await by('Bethesda')).toEqual([bethesda.id]);
    expect(await by('bethesda-md')).toEqual([bethesda.id]);
    const unknown = await community.ask('GET', '/api/social-posts?place=Atlantis');
    expect([unknown.status, unknown.body.errors?.[0]?.field]).toEqual([400, 'place']);
  });

  test('list the posts of followed people and the reader’s own posts, newest first; this feed needs a session', async () => {
    const [ann, bob, cy, reader] = [person(), person(), person(), person()];
    follows.set(reader.id, [ann.id, bob.id]);
    const ids = [];
    for (const as of [ann, bob, cy, reader, ann]) ids.push((await posted(as)).id);
    const [first, second, , own, last] = ids;
    const page = await feed('feed=following&limit=2', reader);
    expect(idsOf(page)).toEqual([last, own]);
    expect(idsOf(await feed(`feed=following&limit=2&cursor=${page.nextCursor}`, reader))).toEqual([second, first]);
    expect((await community.ask('GET', '/api/social-posts?feed=following')).status).toBe(401);
    expect(idsOf(await feed('feed=following', person()))).toEqual([]);
  });

  test.each([
    ['feed', 'feed=all-of-it'],
    ['cursor', 'cursor=x'],
    ['limit', 'limit=51'],
    ['author', 'author=-1'],
    ['eventId', 'eventId=99999999999'],
    ['place', `place=${'a'.repeat(201)}`],
  ])('refuse an invalid %s with the name of the field', async (field, query) => {
    const { status, body } = await community.ask('GET', `/api/social-posts?${query}`);
    expect([status, body.errors?.[0]?.field]).toEqual([400, field]);
  });
});

describe('people who block each other', () => {
  test.each(['the one', 'the other'])(
    'do not see each other and cannot reach each other, whichever person blocked: %s',
    async (who) => {
      const [ann, bob, cy] = [person({ name: 'Ann' }), person({ name: 'Bob' }), person()];
      follows.set(ann.id, [bob.id]);
      const [ofAnn, ofBob, ofCy] = [await posted(ann), await posted(bob), await posted(cy)];
      await comment(ann, ofCy.id, 'Ann was here');
      await comment(bob, ofCy.id, 'Bob was here');
      const [by, whom] = who === 'the one' ? [ann, bob] : [bob, ann];
      const block = (method: string) => community.ask(method, `/api/blocks/${whom.id}`, { as: by });
      expect([(await block('POST')).status, (await block('POST')).status]).toEqual([204, 204]);
      for (const [reader, own, theirs, word] of [
        [ann, ofAnn, ofBob, 'Ann was here'],
        [bob, ofBob, ofAnn, 'Bob was here'],
      ] as const) {
        expect((await read(theirs.id, reader)).status).toBe(404);
        expect((await read(own.id, reader)).status).toBe(200);
        expect(idsOf(await feed('limit=3', reader))).not.toContain(theirs.id);
        expect(idsOf(await feed(`author=${theirs.userId}`, reader))).toEqual([]);
        expect((await commentsOf(ofCy.id, reader)).items.map(({ text }) => text)).toEqual([word]);
        expect((await comment(reader, theirs.id)).status).toBe(404);
        expect((await community.ask('POST', `/api/social-posts/${theirs.id}/like`, { as: reader })).status).toBe(404);
      }
      expect(idsOf(await feed('feed=following', ann))).toEqual([ofAnn.id]);
      expect((await commentsOf(ofCy.id, cy)).items).toHaveLength(2);
      expect((await read(ofAnn.id)).status).toBe(200);
      const list = async (as: Person) => (await community.ask<BlockPage>('GET', '/api/blocks', { as })).body.items;
      expect(await list(by)).toMatchObject([{ userId: whom.id, userName: whom.name }]);
      expect(await list(whom)).toEqual([]);
      expect((await block('DELETE')).status).toBe(204);
      expect([(await read(ofBob.id, ann)).status, (await read(ofAnn.id, bob)).status]).toEqual([200, 200]);
    },
  );

  test('are still moderated: an event’s owner can hide the post of a person who blocks the owner', async () => {
    const [owner, ann, eventId] = [person(), person(), newEvent()];
    await community.publish(eventId, owner.id);
    const { id } = await posted(ann, { eventId });
    await community.ask('POST', `/api/blocks/${owner.id}`, { as: ann });
    expect((await community.ask('DELETE', `/api/social-posts/${id}`, { as: owner })).status).toBe(204);
    expect((await read(id)).status).toBe(404);
  });

  test('cannot be oneself, and the number of blocked people is limited', async () => {
    const ann = person();
    const own = await community.ask('POST', `/api/blocks/${ann.id}`, { as: ann });
    expect([own.status, own.body.code]).toEqual([409, 'own-account']);
    await community.pool.query(
      'insert into community_blocks (user_id, blocked_id, created_at) select $1, g, now() from generate_series(1, 1000) g',
      [ann.id],
    );
    const full = await community.ask('POST', '/api/blocks/1001', { as: ann });
    expect([full.status, full.body.code]).toEqual([409, 'too-many-blocked']);
    expect((await community.ask('POST', '/api/blocks/1000', { as: ann })).status).toBe(204);
    const page = (await community.ask<BlockPage>('GET', '/api/blocks?limit=100', { as: ann })).body;
    expect(page.items.map(({ userId }) => userId)).toEqual(Array.from({ length: 100 }, (_, n) => 1_000 - n));
    const next = await community.ask<BlockPage>('GET', `/api/blocks?limit=100&cursor=${page.nextCursor}`, { as: ann });
    expect(next.body.items[0]!.userId).toBe(900);
    expect((await community.ask('GET', '/api/blocks')).status).toBe(401);
  });
});

describe('a person', () => {
  test('has all contributions in the export, and an erasure leaves none of them', async () => {
    const [ann, bob] = [person(), person()];
    const [own, others] = [await posted(ann, { content: 'Ann’s words' }), await posted(bob)];
    await comment(ann, others.id, 'Ann’s comment');
    await comment(bob, own.id, 'Bob’s comment');
    await community.ask('POST', `/api/social-posts/${others.id}/like`, { as: ann });
    await community.ask('POST', `/api/social-posts/${others.id}/share`, { as: ann });
    await community.ask('POST', `/api/blocks/${person().id}`, { as: ann });
    const part = await (
      await fetch(`${community.url}/internal/people/${ann.id}`, { headers: { 'x-internal-token': INTERNAL_TOKEN } })
    ).json();
    expect(part).toMatchObject({
      posts: [{ id: own.id, content: 'Ann’s words' }],
      postComments: [{ postId: others.id, text: 'Ann’s comment' }],
      postLikes: [{ postId: others.id }],
      postShares: [{ postId: others.id }],
      blocks: [{}],
      isComplete: true,
    });
    await community.erase(ann.id);
    await community.erase(ann.id);
    expect((await read(own.id)).status).toBe(404);
    expect((await read(others.id)).body).toMatchObject({ likes: 0, comments: 0, shares: 0 });
    expect(await community.rowsOf(ann)).toBe(0);
    expect((await community.pool.query('select from contributions where parent_id = $1', [own.id])).rowCount).toBe(0);
  });
});

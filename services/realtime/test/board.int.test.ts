import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  Answer,
  Likes,
  Question,
  QuestionFollow,
  QuestionPage,
  QuestionThread,
} from '@beltway/contracts/realtime/community';
import { TRICKS, admin, person, startCommunity, type Community, type Person } from './community.ts';
import { INTERNAL_TOKEN } from './realtime.ts';

let community: Community;
beforeAll(async () => void (community = await startCommunity()));
afterAll(() => community.close());

let lastEvent = 4_000;
async function newEvent(owner: Person, location?: string): Promise<number> {
  await community.publish(++lastEvent, owner.id, location);
  return lastEvent;
}

const ask = (as: Person | undefined, more: object = {}, key?: string) =>
  community.ask<Question>('POST', '/api/message-board', {
    ...{ as, body: { question: 'Where does one park?', ...more } },
    ...(key !== undefined && { key }),
  });
async function asked(as: Person, more: object = {}): Promise<Question> {
  const { status, body } = await ask(as, more);
  expect([status, body]).toMatchObject([201, {}]);
  return body;
}
const answer = (as: Person | undefined, id: number, text: unknown = 'Below the Anthem', key?: string) =>
  community.ask<Answer>('POST', `/api/message-board/${id}/answers`, {
    ...{ as, body: { answer: text } },
    ...(key !== undefined && { key }),
  });
async function answered(as: Person, id: number, text?: string): Promise<Answer> {
  const { status, body } = await answer(as, id, text);
  expect([status, body]).toMatchObject([201, {}]);
  return body;
}
const thread = (id: number, as?: Person, query = '') =>
  community.ask<QuestionThread>('GET', `/api/message-board/${id}?${query}`, { as });
const board = async (query: string, as?: Person) => {
  const { status, body } = await community.ask<QuestionPage>('GET', `/api/message-board?${query}`, { as });
  expect(status).toBe(200);
  return body;
};
const idsOf = (page: QuestionPage) => page.items.map(({ id }) => id);
const change = (as: Person, id: number, body: object) =>
  community.ask<Question>('PATCH', `/api/message-board/${id}`, { as, body });
const accept = (as: Person, id: number, method = 'POST') =>
  community.ask<Answer>(method, `/api/message-board/answers/${id}/accept`, { as });
const bell = async ({ id }: Person) => {
  await community.settled();
  return (await community.list(id)).items;
};

describe('a question', () => {
  test('has a category, a place and optionally an event, and every visitor can read it', async () => {
    const ann = person({ name: 'Ann' });
    const eventId = await newEvent(person(), 'Tally Ho Theater, Leesburg, VA');
    expect(await asked(ann)).toMatchObject({
      ...{
        category: 'general',
        location: null,
        eventId: null,
        isAnswered: false,
        isPinned: false,
        likes: 0,
        answers: 0,
      },
      ...{ userName: 'Ann', isOwn: true, isFollowed: true, mayPin: false, mayRemove: true },
    });
    const question = await asked(ann, { category: 'tickets', eventId });
    expect(question).toMatchObject({ category: 'tickets', eventTitle: 'Go-Go Night', location: { state: 'VA' } });
    const { body, headers } = await thread(question.id);
    expect(body).toMatchObject({
      question: { isOwn: false, isFollowed: false },
      accepted: null,
      answers: { items: [] },
    });
    expect(headers.get('cache-control')).toBe('private, no-store');
    for (const inside of ['ownerId', 'isTop', 'acceptedAnswerId', 'placeId'])
      expect(body.question).not.toHaveProperty(inside);
  });

  test.each(TRICKS)('refuses %s as its text', async (_what, question) => {
    const { status, body } = await ask(person(), { question });
    expect([status, body.errors?.[0]?.field]).toEqual([400, 'question']);
  });

  test.each<[string, object]>([
    ['question', { question: 'a'.repeat(501) }],
    ['category', { category: 'gossip' }],
    ['location', { location: 'Atlantis' }],
    ['eventId', { eventId: 99_999 }],
    ['isPinned', { isPinned: true }],
    ['isAnswered', { isAnswered: true }],
  ])('an invalid %s is refused with the name of the field: %j', async (field, more) => {
    const { status, body } = await ask(person(), more);
    expect([status, body.errors?.[0]?.field]).toEqual([400, field]);
  });

  test('that is sent twice is stored once; asking needs an account', async () => {
    const [ann, key] = [person(), randomUUID()];
    const both = await Promise.all([ask(ann, {}, key), ask(ann, {}, key)]);
    expect(both[0].body.id).toBe(both[1].body.id);
    expect((await ask(ann, { question: 'Else?' }, key)).status).toBe(422);
    expect((await ask(undefined)).status).toBe(401);
    await community.ask('DELETE', `/api/message-board/${both[0].body.id}`, { as: ann });
    expect((await ask(ann, {}, key)).body.code).toBe('question-removed');
  });

  test('is changed by its author, and pinned by the owner of its event and by admins', async () => {
    const [owner, ann] = [person(), person()];
    const eventId = await newEvent(owner);
    const [one, two] = [await asked(ann, { eventId }), await asked(ann, { eventId })];
    expect((await change(owner, one.id, { question: 'Mine?' })).status).toBe(403);
    expect((await change(ann, one.id, { isPinned: true })).status).toBe(403);
    expect((await change(person(), one.id, { category: 'food' })).status).toBe(403);
    expect((await change(ann, one.id, {})).status).toBe(400);
    expect((await change(ann, one.id, { question: 'And bikes?' })).body).toMatchObject({ question: 'And bikes?' });
    expect(idsOf(await board(`eventId=${eventId}`))).toEqual([two.id, one.id]);
    const pinned = await change(owner, one.id, { isPinned: true });
    expect(pinned.body).toMatchObject({ isPinned: true, mayPin: true, isOwn: false });
    const first = await board(`eventId=${eventId}&limit=1`);
    expect(idsOf(first)).toEqual([one.id]);
    expect(idsOf(await board(`eventId=${eventId}&limit=1&cursor=${first.nextCursor}`))).toEqual([two.id]);
    // A pin for an event does not affect the whole board; an admin's pin does.
    const [general, later] = [await asked(ann), await asked(ann)];
    expect(idsOf(await board('limit=1'))).toEqual([later.id]);
    expect((await change(owner, general.id, { isPinned: true })).status).toBe(403);
    expect((await change(admin(), general.id, { isPinned: true })).status).toBe(200);
    const top = await board('limit=1');
    expect(idsOf(top)).toEqual([general.id]);
    expect(idsOf(await board(`limit=1&cursor=${top.nextCursor}`))).toEqual([later.id]);
    await change(admin(), general.id, { isPinned: false });
  });

  test('is deleted by its author with its answers, and hidden by the owner of its event and by admins', async () => {
    const [owner, ann, bob] = [person(), person(), person()];
    const eventId = await newEvent(owner);
    const [one, two, three] = [
      await asked(ann, { eventId }),
      await asked(ann, { eventId }),
      await asked(ann, { eventId }),
    ];
    const reply = await answered(bob, one.id);
    const remove = async (id: number, as: Person) =>
      (await community.ask('DELETE', `/api/message-board/${id}`, { as })).status;
    expect(await remove(one.id, bob)).toBe(403);
    expect([await remove(one.id, ann), await remove(one.id, ann)]).toEqual([204, 204]);
    // Blocking the organizer does not prevent moderation.
    await community.ask('POST', `/api/blocks/${owner.id}`, { as: ann });
    expect([await remove(two.id, owner), await remove(three.id, admin())]).toEqual([204, 204]);
    expect(idsOf(await board(`eventId=${eventId}`, ann))).toEqual([]);
    expect((await answer(bob, one.id)).status).toBe(404);
    for (const { id } of [two, three]) {
      const refused = await answer(bob, id);
      expect([refused.status, refused.body.code]).toEqual([409, 'question-removed']);
      expect((await thread(id, ann)).status).toBe(404);
      for (const path of ['like', 'follow'])
        expect((await community.ask('POST', `/api/message-board/${id}/${path}`, { as: bob })).status).toBe(404);
    }
    expect((await community.ask('POST', `/api/message-board/answers/${reply.id}/like`, { as: ann })).status).toBe(404);
    await community.decide('question', two.id, 'restore');
    expect((await answer(bob, two.id)).status).toBe(201);
  });

  test.each(['0', '-1', 'x', '99999999999', '%00'])('has a number as its id; %s is 404', async (id) => {
    expect((await community.ask('GET', `/api/message-board/${id}`)).status).toBe(404);
    expect((await answer(person(), id as unknown as number)).status).toBe(404);
  });
});

test('questions and answers show whether their author has a public profile, by the latest choice', async () => {
  const [ann, bob] = [person(), person()];
  const { id, hasProfile } = await asked(ann);
  const reply = await answered(bob, id);
  expect([hasProfile, reply.hasProfile]).toEqual([false, false]);
  await community.choose(ann, true);
  await community.choose(bob, true);
  await accept(ann, reply.id);
  const seen = async () => {
    const { question, accepted, answers } = (await thread(id)).body;
    return [question.hasProfile, accepted?.hasProfile, answers.items[0]!.hasProfile];
  };
  expect(await seen()).toEqual([true, true, true]);
  expect((await board('')).items.find((one) => one.id === id)?.hasProfile).toBe(true);
  await community.choose(ann, false);
  expect(await seen()).toEqual([false, true, true]);
});

describe('answers', () => {
  test("are listed below their question, oldest first, page by page; the organizer's and admins' are marked", async () => {
    const [owner, ann, bob] = [person(), person(), person({ name: 'Bob' })];
    const { id } = await asked(ann, { eventId: await newEvent(owner) });
    const key = randomUUID();
    const first = await answer(bob, id, 'One', key);
    expect(first.body).toMatchObject({
      userName: 'Bob',
      answer: 'One',
      isVerified: false,
      isOwn: true,
      questionId: id,
    });
    expect((await answer(bob, id, 'One', key)).body.id).toBe(first.body.id);
    await answered(owner, id, 'Two');
    await answered(admin(), id, 'Three');
    await answered(person({ role: 'business' }), id, 'Four');
    const page = (await thread(id, undefined, 'limit=3')).body;
    expect(page.question.answers).toBe(4);
    expect(page.answers.items.map(({ answer: words, isVerified }) => [words, isVerified])).toEqual([
      ['One', false],
      ['Two', true],
      ['Three', true],
    ]);
    const rest = (await thread(id, undefined, `limit=3&cursor=${page.answers.nextCursor}`)).body.answers;
    expect(rest).toMatchObject({ items: [{ answer: 'Four', isVerified: false }], nextCursor: null });
    expect((await answer(undefined, id)).status).toBe(401);
  });

  test.each([...TRICKS, ['2,001 characters', 'a'.repeat(2_001)] as const])('refuse %s', async (_what, text) => {
    const { id } = await asked(person());
    const { status, body } = await answer(person(), id, text);
    expect([status, body.errors?.[0]?.field]).toEqual([400, 'answer']);
  });

  test('are accepted only by the author of the question: one at a time, which can be changed and withdrawn', async () => {
    const [ann, bob] = [person(), person()];
    const { id } = await asked(ann, { eventId: await newEvent(bob) });
    const [one, two] = [await answered(bob, id, 'One'), await answered(bob, id, 'Two')];
    expect((await accept(bob, one.id)).status).toBe(403);
    expect((await accept(admin(), one.id)).status).toBe(403);
    expect((await accept(ann, 999_999)).status).toBe(404);
    expect((await accept(ann, one.id)).body.isAccepted).toBe(true);
    expect((await accept(ann, one.id)).body.isAccepted).toBe(true);
    expect((await thread(id)).body).toMatchObject({ question: { isAnswered: true }, accepted: { id: one.id } });
    await accept(ann, two.id);
    const moved = (await thread(id)).body;
    expect(moved.accepted?.id).toBe(two.id);
    expect(moved.answers.items.map(({ isAccepted }) => isAccepted)).toEqual([false, true]);
    // This is not the accepted answer, so nothing changes.
    await accept(ann, one.id, 'DELETE');
    expect((await thread(id)).body.accepted?.id).toBe(two.id);
    await accept(ann, two.id, 'DELETE');
    expect((await thread(id)).body).toMatchObject({ question: { isAnswered: false }, accepted: null });
    await Promise.all([accept(ann, one.id), accept(ann, two.id), accept(ann, one.id)]);
    expect((await thread(id)).body.answers.items.filter(({ isAccepted }) => isAccepted)).toHaveLength(1);
  });

  test('are removed by their author and by moderators; then the question no longer counts as answered', async () => {
    const [owner, ann, bob, cy] = [person(), person(), person(), person()];
    const { id } = await asked(ann, { eventId: await newEvent(owner) });
    const [one, two, three] = [await answered(bob, id), await answered(bob, id), await answered(bob, id)];
    const remove = async (answerId: number, as: Person) =>
      (await community.ask('DELETE', `/api/message-board/answers/${answerId}`, { as })).status;
    expect([await remove(one.id, cy), await remove(one.id, ann)]).toEqual([403, 403]);
    await accept(ann, one.id);
    expect([await remove(one.id, bob), await remove(one.id, bob)]).toEqual([204, 204]);
    expect((await thread(id)).body.question).toMatchObject({ isAnswered: false, answers: 2 });
    await accept(ann, two.id);
    expect([await remove(two.id, owner), await remove(three.id, admin())]).toEqual([204, 204]);
    expect((await thread(id)).body).toMatchObject({
      question: { isAnswered: false, answers: 0 },
      answers: { items: [] },
    });
    expect((await accept(ann, two.id)).status).toBe(404);
    await community.decide('answer', two.id, 'restore');
    expect((await thread(id)).body).toMatchObject({ question: { isAnswered: false, answers: 1 }, accepted: null });
    // An answer that was hidden and is then deleted is not subtracted twice.
    expect(await remove(three.id, bob)).toBe(204);
    expect((await thread(id)).body.question.answers).toBe(1);
  });
});

test('likes of questions and answers count once for each account and can be withdrawn', async () => {
  const [ann, bob] = [person(), person()];
  const { id } = await asked(ann);
  const reply = await answered(bob, id);
  for (const path of [`${id}`, `answers/${reply.id}`]) {
    const like = (as: Person, method = 'POST') =>
      community.ask<Likes>(method, `/api/message-board/${path}/like`, { as });
    await Promise.all([like(bob), like(bob), like(ann), like(bob)]);
    expect((await like(bob)).body).toEqual({ likes: 2, isLiked: true });
    await Promise.all([like(bob, 'DELETE'), like(bob, 'DELETE')]);
    expect((await like(bob, 'DELETE')).body).toEqual({ likes: 1, isLiked: false });
    expect((await community.ask('POST', `/api/message-board/${path}/like`)).status).toBe(401);
  }
  const { body } = await thread(id, ann);
  expect([body.question.likes, body.question.isLiked, body.answers.items[0]]).toMatchObject([
    1,
    true,
    { likes: 1, isLiked: true },
  ]);
  expect((await community.ask('POST', '/api/message-board/answers/999999/like', { as: ann })).status).toBe(404);
});

describe('the board', () => {
  test('can be searched by words, in any grammatical form, and filtered by category, location, event and answered', async () => {
    const [ann, owner] = [person(), person()];
    const eventId = await newEvent(owner);
    const bikes = await asked(ann, {
      question: 'Are bicycles parked inside the zebrahall?',
      category: 'getting-there',
    });
    const dogs = await asked(ann, { question: 'May a dog come into the zebrahall?', location: 'Bethesda' });
    const doors = await asked(ann, { question: 'When do doors of the zebrahall open?', eventId });
    const find = async (query: string) => idsOf(await board(query));
    expect(await find('q=zebrahall')).toEqual([doors.id, dogs.id, bikes.id]);
    expect(await find('q=bicycle+zebrahall')).toEqual([bikes.id]);
    expect(await find('q=zebrahall+-dogs')).toEqual([doors.id, bikes.id]);
    expect(await find('q=zebrahall&category=getting-there')).toEqual([bikes.id]);
    expect(await find('q=zebrahall&location=Bethesda,+MD')).toEqual([dogs.id]);
    expect(await find(`q=zebrahall&eventId=${eventId}`)).toEqual([doors.id]);
    await accept(ann, (await answered(owner, doors.id)).id);
    expect(await find('q=zebrahall&answered=true')).toEqual([doors.id]);
    expect(await find('q=zebrahall&answered=false')).toEqual([dogs.id, bikes.id]);
    for (const tricky of ["'", '"', '&', '!', '(', "');drop table contributions;--", '\\', ':*', '<->', '%25'])
      expect((await board(`q=${encodeURIComponent(`zebrahall ${tricky}`)}`)).items.length).toBeLessThanOrEqual(3);
    const pages = [await board('q=zebrahall&limit=2')];
    pages.push(await board(`q=zebrahall&limit=2&cursor=${pages[0]!.nextCursor}`));
    expect(pages.map(idsOf)).toEqual([[doors.id, dogs.id], [bikes.id]]);
    expect(pages[1]!.nextCursor).toBeNull();
  });

  test.each([
    ['q', `q=${'a'.repeat(101)}`],
    ['category', 'category=gossip'],
    ['location', 'location=Atlantis'],
    ['answered', 'answered=maybe'],
    ['eventId', 'eventId=-1'],
    ['cursor', 'cursor=7'],
    ['cursor', 'cursor=1-99999999999'],
    ['limit', 'limit=0'],
  ])('refuses an invalid %s with the name of the field', async (field, query) => {
    const { status, body } = await community.ask('GET', `/api/message-board?${query}`);
    expect([status, body.errors?.[0]?.field]).toEqual([400, field]);
  });
});

describe('following a question', () => {
  const follow = (as: Person, id: number, method = 'POST') =>
    community.ask<QuestionFollow>(method, `/api/message-board/${id}/follow`, { as });

  test('notifies the question’s author and followers of answers, but not the author of the answer', async () => {
    const [ann, bob, cy, dee] = [person(), person(), person(), person()];
    const { id } = await asked(ann);
    for (const as of [bob, cy, dee]) expect((await follow(as, id)).body).toEqual({ isFollowed: true });
    await follow(bob, id);
    expect((await follow(dee, id, 'DELETE')).body).toEqual({ isFollowed: false });
    expect((await thread(id, cy)).body.question.isFollowed).toBe(true);
    const key = randomUUID();
    await answer(bob, id, 'Below', key);
    await answer(bob, id, 'Below', key);
    for (const as of [ann, cy])
      expect(await bell(as)).toMatchObject([
        {
          ...{ kind: 'reply', title: 'New answer to a question you follow', text: 'In Questions' },
          ...{ path: `/community/questions/${id}`, isRead: false },
        },
      ]);
    expect([await bell(bob), await bell(dee)]).toEqual([[], []]);
    await answered(cy, id);
    const [told] = await bell(ann);
    expect(told!.title).toMatch(/^(New answer|2 new answers) to a question you follow$/);
    expect((await bell(bob)).map(({ title }) => title)).toEqual(['New answer to a question you follow']);
    expect((await follow(bob, 999_999)).status).toBe(404);
    expect((await community.ask('POST', `/api/message-board/${id}/follow`)).status).toBe(401);
  });

  test('sends no notification of answers that the reader cannot see: by blocked people, or already removed', async () => {
    const [ann, bob, cy] = [person(), person(), person()];
    const { id } = await asked(ann);
    await follow(cy, id);
    await community.ask('POST', `/api/blocks/${bob.id}`, { as: ann });
    // Bob no longer sees the question, so he cannot answer it.
    expect((await answer(bob, id)).status).toBe(404);
    await community.ask('POST', `/api/blocks/${cy.id}`, { as: bob });
    await community.ask('DELETE', `/api/blocks/${bob.id}`, { as: ann });
    await answered(bob, id);
    expect(await bell(ann)).toHaveLength(1);
    expect(await bell(cy)).toEqual([]);
  });

  test('can be turned off', async () => {
    const [ann, bob] = [person(), person()];
    const { id } = await asked(ann, { eventId: await newEvent(person()) });
    await community.call('PATCH', '/api/me/notification-preferences', ann.id, { page: { reply: false } });
    await answered(bob, id);
    expect(await bell(ann)).toEqual([]);
    await community.call('PATCH', '/api/me/notification-preferences', ann.id, { page: { reply: true } });
    await answered(bob, id);
    expect(await bell(ann)).toMatchObject([{ text: 'About Go-Go Night' }]);
  });
});

test.each(['the one', 'the other'])(
  'after a block, neither person sees the other on the board: %s blocked',
  async (who) => {
    const [ann, bob, cy] = [person(), person(), person()];
    const [ofAnn, ofBob, ofCy] = [await asked(ann), await asked(bob), await asked(cy)];
    const [byAnn, byBob] = [await answered(ann, ofCy.id), await answered(bob, ofCy.id)];
    await accept(cy, byAnn.id);
    const [by, whom] = who === 'the one' ? [ann, bob] : [bob, ann];
    await community.ask('POST', `/api/blocks/${whom.id}`, { as: by });
    for (const [reader, theirs, own, other] of [
      [ann, ofBob, byAnn, byBob],
      [bob, ofAnn, byBob, byAnn],
    ] as const) {
      expect((await thread(theirs.id, reader)).status).toBe(404);
      expect(idsOf(await board('limit=3', reader))).not.toContain(theirs.id);
      const { body } = await thread(ofCy.id, reader);
      expect(body.answers.items.map(({ id }) => id)).toEqual([own.id]);
      expect(body.accepted?.id).toBe(reader === ann ? byAnn.id : undefined);
      expect((await answer(reader, theirs.id)).status).toBe(404);
      expect((await community.ask('POST', `/api/message-board/answers/${other.id}/like`, { as: reader })).status).toBe(
        404,
      );
    }
    expect((await thread(ofCy.id, cy)).body.answers.items).toHaveLength(2);
  },
);

test('an export has a person’s questions and answers, and an erasure removes them', async () => {
  const [ann, bob] = [person(), person()];
  const [own, others] = [await asked(ann, { question: 'Ann’s question?' }), await asked(bob)];
  await answered(bob, own.id);
  const mine = await answered(ann, others.id, 'Ann’s answer');
  const theirs = await answered(bob, others.id);
  await accept(bob, mine.id);
  for (const path of [`${others.id}`, `answers/${theirs.id}`])
    await community.ask('POST', `/api/message-board/${path}/like`, { as: ann });
  await community.ask('POST', `/api/message-board/${others.id}/follow`, { as: ann });
  const headers = { 'x-internal-token': INTERNAL_TOKEN };
  const part = await (await fetch(`${community.url}/internal/people/${ann.id}`, { headers })).json();
  expect(part).toMatchObject({
    questions: [{ id: own.id, question: 'Ann’s question?' }],
    answers: [{ questionId: others.id, answer: 'Ann’s answer' }],
    questionLikes: [{ questionId: others.id }],
    answerLikes: [{ answerId: theirs.id }],
    followedQuestions: [{}, {}],
    isComplete: true,
  });
  await community.erase(ann.id);
  await community.erase(ann.id);
  expect((await thread(own.id)).status).toBe(404);
  const left = (await thread(others.id)).body;
  expect(left).toMatchObject({ question: { likes: 0, answers: 1, isAnswered: false }, accepted: null });
  expect(left.answers.items).toMatchObject([{ id: theirs.id, likes: 0 }]);
  expect(await community.rowsOf(ann)).toBe(0);
});

test('an account created today may ask three questions', async () => {
  const limited = await startCommunity({ isUnlimited: false });
  try {
    const ann = person();
    const statuses = [];
    for (let n = 0; n < 4; n++)
      statuses.push(
        (await limited.ask('POST', '/api/message-board', { as: ann, body: { question: 'Where?' } })).status,
      );
    expect(statuses).toEqual([201, 201, 201, 429]);
  } finally {
    await limited.close();
  }
});

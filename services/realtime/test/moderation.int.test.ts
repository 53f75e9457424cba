import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PostComment, Question, QuestionThread, SocialPost } from '@beltway/contracts/realtime/community';
import { person, startCommunity, type Community } from './community.ts';
import { INTERNAL_TOKEN } from './realtime.ts';

let community: Community;
beforeAll(async () => void (community = await startCommunity()));
afterAll(() => community.close());

const report = async (kind: string, id: number, reporterId = 1) => {
  const response = await fetch(`${community.url}/internal/content/${kind}/${id}`, {
    ...{ method: 'POST', body: JSON.stringify({ reporterId }) },
    headers: { 'content-type': 'application/json', 'x-internal-token': INTERNAL_TOKEN },
  });
  return { status: response.status, body: (await response.json()) as unknown };
};
const decide = (kind: string, id: number, action: string, decision: number) =>
  community.decide(kind, id, action, decision);
const status = async (path: string) => (await community.ask('GET', path)).status;

test('posts and comments on them are reported, hidden, restored and removed; the newest decision wins', async () => {
  const [ann, bob] = [person(), person()];
  const posts = '/api/social-posts';
  const { body: post } = await community.ask<SocialPost>('POST', posts, { as: ann, body: { content: 'Buy now' } });
  const written = { as: bob, body: { text: 'Me too' } };
  const { body: comment } = await community.ask<PostComment>('POST', `${posts}/${post.id}/comments`, written);
  expect(await report('post', post.id)).toEqual({
    status: 200,
    body: { authorId: ann.id, excerpt: 'Buy now', path: `/community/posts/${post.id}`, version: 0, since: 0 },
  });
  expect(await report('post', post.id, ann.id)).toMatchObject({ status: 409, body: { code: 'own-content' } });
  expect((await report('post', 999_999)).status).toBe(404);
  expect(await report('post-comment', comment.id)).toMatchObject({ body: { authorId: bob.id, excerpt: 'Me too' } });

  const comments = async () => (await community.ask<SocialPost>('GET', `${posts}/${post.id}`)).body.comments;
  await decide('post-comment', comment.id, 'hide', 1);
  expect(await comments()).toBe(0);
  await decide('post-comment', comment.id, 'restore', 2);
  await decide('post-comment', comment.id, 'hide', 1);
  expect(await comments()).toBe(1);
  await decide('post-comment', comment.id, 'remove', 3);
  await decide('post-comment', comment.id, 'remove', 3);
  expect(await comments()).toBe(0);

  await decide('post', post.id, 'hide', 1);
  expect(await status(`${posts}/${post.id}`)).toBe(404);
  expect((await report('post', post.id)).status).toBe(404);
  await decide('post', post.id, 'restore', 2);
  expect(await status(`${posts}/${post.id}`)).toBe(200);
  // The author deletes the post while a decision about it is applied.
  await Promise.all([
    community.ask('DELETE', `${posts}/${post.id}`, { as: ann }),
    decide('post', post.id, 'hide', 3),
    decide('post', 888_888, 'remove', 1),
  ]);
  await decide('post', post.id, 'restore', 4);
  expect(await status(`${posts}/${post.id}`)).toBe(404);
});

test('questions and answers are moderated in the same way; a hidden answer no longer counts as helpful', async () => {
  const [ann, bob] = [person(), person()];
  const board = '/api/message-board';
  const asked = { as: ann, body: { question: `Where to park ${randomUUID()}?` } };
  const { body: question } = await community.ask<Question>('POST', board, asked);
  const answered = { as: bob, body: { answer: 'At my place' } };
  const { body: answer } = await community.ask<{ id: number }>('POST', `${board}/${question.id}/answers`, answered);
  await community.ask('POST', `${board}/answers/${answer.id}/accept`, { as: ann });
  expect(await report('answer', answer.id)).toMatchObject({
    body: { authorId: bob.id, excerpt: 'At my place', path: `/community/questions/${question.id}` },
  });
  const thread = async () => (await community.ask<QuestionThread>('GET', `${board}/${question.id}`)).body;
  expect((await thread()).accepted?.id).toBe(answer.id);
  await decide('answer', answer.id, 'hide', 1);
  expect(await thread()).toMatchObject({ accepted: null, question: { answers: 0, isAnswered: false } });
  await decide('answer', answer.id, 'restore', 2);
  expect((await thread()).question.answers).toBe(1);
  await decide('answer', answer.id, 'remove', 3);
  expect((await thread()).question.answers).toBe(0);
  await decide('question', question.id, 'keep', 1);
  expect(await status(`${board}/${question.id}`)).toBe(200);
  await decide('question', question.id, 'remove', 2);
  expect(await status(`${board}/${question.id}`)).toBe(404);
  expect((await report('question', question.id)).status).toBe(404);
});

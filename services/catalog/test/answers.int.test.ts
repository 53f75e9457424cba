import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommentThread } from '@beltway/contracts/catalog/comments';
import { CommentAnsweredV1 } from '@beltway/contracts/realtime/notifications';
import { golden } from '@beltway/contracts/testing/golden';
import { tellAnswers } from '../src/comments/tell-answers.ts';
import { startCatalog, type Catalog, type Person } from './catalog.ts';

const [organiser, author, other] = [{ id: 1 }, { id: 2 }, { id: 3 }];
let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

const write = async (eventId: number, as: Person, text: string, answerTo?: number) => {
  const { status, body } = await catalog.call<CommentThread>('POST', `/api/events/${eventId}/comments`, {
    as,
    body: { text, ...(answerTo !== undefined && { answerTo }) },
    headers: { 'x-forwarded-for': `account-${as.id}`, 'idempotency-key': `${as.id}-${text.replace(/\W/g, '-')}` },
  });
  expect(status).toBe(201);
  return body.id;
};
const told = async () =>
  (await catalog.told())
    .filter(({ type }) => type === 'catalog.comment-answered')
    .map((message) => message as CommentAnsweredV1);
const waiting = async () => (await catalog.pool.query('select from answers_to_tell')).rowCount;

test('an answer of somebody else is told by numbers alone, once however often it was written or published', async () => {
  const { id: eventId } = await catalog.publish(organiser);
  const answerTo = await write(eventId, author, 'Is there parking?');
  const commentId = await write(eventId, other, 'Behind the hall.', answerTo);
  await write(eventId, other, 'Behind the hall.', answerTo);
  await write(eventId, author, 'Thank you!', answerTo);
  expect(await waiting()).toBe(1);
  // Published, and the process ends before it notes that.
  const dies = {
    query: (text: string, ...rest: unknown[]) => {
      if (text.startsWith('delete')) throw new Error('the process ends here');
      return catalog.pool.query(text, rest[0] as never);
    },
  } as unknown as typeof catalog.pool;
  await expect(tellAnswers(dies, catalog.bus)).rejects.toThrow('ends here');
  await tellAnswers(catalog.pool, catalog.bus);
  expect(await waiting()).toBe(0);
  const messages = await told();
  expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
  expect(messages.map(({ data }) => data)).toEqual(
    Array.from({ length: 2 }, () => ({ eventId, commentId, answerTo, authorId: author.id })),
  );
  expect(CommentAnsweredV1.strict().parse(messages[0])).toEqual(messages[0]);
});

test('the message is the one that was agreed', () => {
  const agreed = golden('catalog.comment-answered.v1');
  expect(CommentAnsweredV1.strict().parse(agreed)).toEqual(agreed);
});

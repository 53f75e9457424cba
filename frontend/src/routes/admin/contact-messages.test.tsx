import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));
beforeEach(() => sessionStore.set(sessionFixture({ role: 'admin' })));

const message = {
  id: '0d9b6d0e-8f57-4d0c-9d4e-5f7a3c2b1a00',
  email: 'rosa@example.test',
  phone: null,
  comments: '<script>alert(1)</script>\nSecond line',
  createdAt: '2030-07-01T12:00:00.000Z',
  answeredAt: null,
};
const page = (items: unknown[], nextCursor: string | null = null) => ({ items, nextCursor });
const LIST = 'GET /api/contact-messages';

test('shows messages as plain text, and marks a message as answered', async () => {
  let isAnswered = false;
  const calls = fakeApi({
    [LIST]: () => page(isAnswered ? [] : [message]),
    [`PATCH /api/contact-messages/${message.id}`]: () => {
      isAnswered = true;
      return { ...message, answeredAt: '2030-07-02T12:00:00.000Z' };
    },
  });
  renderAt('/contact-messages');
  const card = await screen.findByRole('article', { name: 'From rosa@example.test' });
  expect(card.textContent).toContain('<script>alert(1)</script>\nSecond line');
  expect(card.querySelector('script')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Mark as answered' }));
  expect(await screen.findByText('All caught up')).toBeTruthy();
  expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ answered: true });
});

test('loads further messages, and answered messages on demand', async () => {
  const older = { ...message, id: '0d9b6d0e-8f57-4d0c-9d4e-5f7a3c2b1a01', email: 'older@example.test' };
  fakeApi({
    [`${LIST}?status=open`]: page([message], message.id),
    [`${LIST}?status=open&cursor=${message.id}`]: page([older]),
    [`${LIST}?status=answered`]: page([{ ...older, answeredAt: '2030-07-02T12:00:00.000Z' }]),
  });
  renderAt('/contact-messages');
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  await screen.findByRole('article', { name: 'From older@example.test' });
  expect(screen.getAllByRole('article')).toHaveLength(2);
  await userEvent.selectOptions(screen.getByLabelText('Show'), 'Answered');
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
  expect(await screen.findByRole('button', { name: 'Mark as open' })).toBeTruthy();
});

test('is for admins only', async () => {
  fakeApi({ [LIST]: () => problem(403, 'forbidden') });
  renderAt('/contact-messages');
  expect(await screen.findByText('For admins only')).toBeTruthy();
});

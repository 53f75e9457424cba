import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { sessionStore } from '../lib/storage/session-store.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { eventFixture, sessionFixture } from '../testing/fixtures.ts';
import { renderAt } from '../testing/render.tsx';
import { EventPreview } from './event-preview.tsx';

test('an event without title, day and place is previewed as card and page, without any request', async () => {
  sessionStore.set(sessionFixture());
  const calls = fakeApi({});
  const empty = { title: '', location: '', eventDate: '', imageUrl: null, description: '- One\n- Two' };
  renderAt('/', <EventPreview event={eventFixture({ id: 0, ...empty })} />);
  expect(screen.getByRole('heading', { name: 'Your event title' })).toBeTruthy();
  expect(screen.getByText('Date TBD')).toBeTruthy();
  await userEvent.click(screen.getByRole('tab', { name: 'Event page' }));
  expect(screen.getByRole('heading', { level: 1, name: 'Your event title' })).toBeTruthy();
  expect(screen.getByText('Date TBD')).toBeTruthy();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['One', 'Two']),
  );
  expect(document.querySelector('img')).toBeNull();
  // By then, a card would have sent its batched requests.
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(calls).toEqual([]);
});

import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));

test.each([
  ['/privacy', 'Privacy', 'beltway_refresh'],
  ['/terms', 'Terms', 'Beltway keeps 5% of each order'],
  ['/refunds', 'Refunds', 'Every order is refunded in full automatically'],
  ['/accessibility', 'Accessibility', 'Guidelines 2.2, level AA'],
])('%s shows the policy, with a link to the contact form', async (path, title, text) => {
  fakeApi({});
  renderAt(path);
  const heading = await screen.findByRole('heading', { level: 1, name: title });
  expect(heading.closest('article')?.textContent).toContain(text);
  await userEvent.click(screen.getAllByRole('link', { name: /^write to us$/i })[0]!);
  expect(await screen.findByRole('dialog', { name: 'Contact Us' })).toBeTruthy();
});

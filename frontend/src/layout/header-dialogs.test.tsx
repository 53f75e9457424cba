import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { expireSession, sessionStore } from '../lib/storage/session-store.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { eventFixture, sessionFixture } from '../testing/fixtures.ts';
import { renderAt } from '../testing/render.tsx';

vi.mock('socket.io-client', () => ({ io: () => ({ on: vi.fn(), off: vi.fn(), emit: vi.fn(), connected: false }) }));
beforeEach(() => sessionStorage.clear());

const around = {
  'GET /api/events': [],
  'GET /api/events/featured': [],
  'GET /api/events/7': eventFixture(),
  'GET /api/tickets/my-tickets': [],
  'POST /api/auth/login': sessionFixture(),
};
const address = () => screen.getByTestId('address').textContent;
const dialog = () => screen.findByRole('dialog', { name: 'Add New Event' });
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
const press = async (name: string) => {
  const [button] = await screen.findAllByRole('button', { name });
  await userEvent.click(button!);
};
const open = async () => {
  sessionStore.set(sessionFixture());
  fakeApi(around);
  renderAt('/event/7');
  await screen.findByRole('heading', { level: 1 });
  await press('Launch My Event');
  await dialog();
};
const back = () => act(() => window.history.back());

async function signIn() {
  await userEvent.type(await screen.findByLabelText('Email'), 'ann@example.com');
  await userEvent.type(screen.getByLabelText('Password'), 'secret1');
  await userEvent.click(within(screen.getByRole('form', { name: 'Sign in' })).getByRole('button', { name: 'Sign in' }));
}

test('Back closes the launch dialog, and nothing else', async () => {
  await open();
  expect(address()).toBe('/event/7#launch');
  await userEvent.type(await screen.findByLabelText('Event title'), 'Go-Go Night');
  await back();
  await isClosed();
  expect(address()).toBe('/event/7');
  const [opener] = screen.getAllByRole('button', { name: 'Launch My Event' });
  await waitFor(() => expect(document.activeElement).toBe(opener));
  await press('Launch My Event');
  expect((await screen.findByLabelText<HTMLInputElement>('Event title')).value).toBe('Go-Go Night');
});

test('the dashboard requests nothing while it is closed', async () => {
  sessionStore.set(sessionFixture({ role: 'business' }));
  const calls = fakeApi({ ...around, 'GET /api/users/3/events': [], 'GET /api/tickets/sales': [] });
  renderAt('/event/7');
  await screen.findByRole('heading', { level: 1 });
  const ofDashboard = () => calls.filter(({ path }) => path.endsWith('/events') && path.startsWith('/api/users/'));
  expect(ofDashboard()).toEqual([]);
  await press('Dashboard');
  await screen.findByRole('dialog');
  expect(ofDashboard()).toHaveLength(1);
});

test('closing by button or Escape goes back in the history', async () => {
  await open();
  const entries = window.history.length;
  await press('Close');
  await isClosed();
  await press('Launch My Event');
  await dialog();
  await userEvent.keyboard('{Escape}');
  await isClosed();
  expect(address()).toBe('/event/7');
  expect(window.history.length).toBe(entries);
});

test('a double press opens the dialog once', async () => {
  await open();
  await press('Close');
  await isClosed();
  const [opener] = screen.getAllByRole('button', { name: 'Launch My Event' });
  act(() => {
    opener?.click();
    opener?.click();
  });
  await dialog();
  await back();
  await isClosed();
  expect(address()).toBe('/event/7');
});

test('the dialog closes in a tab without an earlier history entry', async () => {
  await open();
  const go = vi.spyOn(window.history, 'go').mockImplementation(() => undefined);
  await press('Close');
  await isClosed();
  expect(address()).toBe('/event/7');
  go.mockRestore();
});

test.each(['Sell Tickets', 'Launch My Event'])(
  '%s, signed out: /auth shows the reason, and the dialog opens after signing in',
  async (name) => {
    fakeApi(around);
    renderAt('/event/7');
    await screen.findByRole('heading', { level: 1 });
    await press(name);
    expect(await screen.findByText(/Sign in or create an account to launch your event/)).toBeTruthy();
    await signIn();
    await dialog();
    expect(address()).toBe('/event/7#launch');
    const go = vi.spyOn(window.history, 'go');
    await press('Close');
    await isClosed();
    expect(address()).toBe('/event/7');
    // Closing goes back in history, to the page before the dialog.
    expect(go).toHaveBeenCalledWith(-1);
    go.mockRestore();
  },
);

test('the input survives a session that ends while the form is open', async () => {
  await open();
  await userEvent.type(await screen.findByLabelText('Event title'), 'Go-Go Night');
  const entries = window.history.length;
  act(() => expireSession());
  expect(await screen.findByText(/Your session expired/)).toBeTruthy();
  await userEvent.click(screen.getByRole('tab', { name: 'Register' }));
  await userEvent.click(screen.getByRole('tab', { name: 'Login' }));
  await signIn();
  await dialog();
  expect((await screen.findByLabelText<HTMLInputElement>('Event title')).value).toBe('Go-Go Night');
  expect(window.history.length).toBe(entries);
  await press('Close');
  await isClosed();
  expect(address()).toBe('/event/7');
  expect(window.history.length).toBe(entries);
});

test('a link to the dialog requires signing in first', async () => {
  fakeApi(around);
  renderAt('/#launch');
  await waitFor(() => expect(address()).toBe('/auth?next=%2F%23launch'));
});

test('the chosen menu item replaces the menu in the history', async () => {
  sessionStore.set(sessionFixture());
  fakeApi(around);
  renderAt('/');
  await press('Open menu');
  const menu = await screen.findByRole('dialog', { name: 'Menu' });
  await userEvent.click(within(menu).getByRole('button', { name: 'Launch My Event' }));
  await dialog();
  await back();
  await isClosed();
  expect(address()).toBe('/');
  await press('Open menu');
  await screen.findByRole('dialog', { name: 'Menu' });
  await back();
  await isClosed();
});

test('the bar of small screens links to My Tickets', async () => {
  fakeApi(around);
  renderAt('/');
  const bar = await screen.findByRole('navigation', { name: 'Bottom' });
  expect(within(bar).getByRole('link', { name: 'My Tickets' }).getAttribute('href')).toBe('/my-tickets');
});

import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { fakeEvents } from '../testing/fake-events.ts';
import { eventFixture } from '../testing/fixtures.ts';
import { renderAt } from '../testing/render.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ToastRegion } from './toast-region.tsx';
import { toast } from './toast.ts';
import { Toaster } from './toaster.tsx';

vi.mock('socket.io-client', () => ({ io: () => ({ on: vi.fn(), off: vi.fn(), emit: vi.fn(), connected: false }) }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const say = (content: Parameters<typeof toast>[0]) => act(() => toast(content));

test('is announced as sentences', async () => {
  render(<Toaster />);
  say({ title: 'Login failed', description: 'Invalid email or password.', variant: 'destructive' });
  await waitFor(() =>
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain(
      'Notification: Login failed. Invalid email or password.',
    ),
  );
});

function InDialog({ isOpen = true }: { isOpen?: boolean }) {
  const [open, setOpen] = useState(isOpen);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {open && (
        <Dialog onClose={() => setOpen(false)} title="Form" footer={<Button onClick={() => setOpen(false)}>Go</Button>}>
          A field
        </Dialog>
      )}
      <Toaster />
    </>
  );
}

test('appears in a dialog above the dialog’s buttons, and closes together with the dialog', async () => {
  render(<InDialog />);
  say({ title: 'Not a picture' });
  const shown = await within(screen.getByRole('dialog')).findByText('Not a picture');
  const button = screen.getByRole('button', { name: 'Go' });
  expect(shown.compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(shown.closest('.fixed')).toBe(screen.getByRole('dialog'));
  act(() => button.click());
  expect(screen.queryByText('Not a picture')).toBeNull();
});

test('a toast that was shown before a dialog opened can be dismissed in the dialog', async () => {
  render(<InDialog isOpen={false} />);
  say({ title: 'Link Copied' });
  await screen.findByText('Link Copied');
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(await dialog.findByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(dialog.queryByText('Link Copied')).toBeNull());
  expect(screen.getByRole('dialog')).toBeTruthy();
});

test('Escape closes the dialog, even with a toast in the dialog', async () => {
  render(<InDialog />);
  say({ title: 'Not a picture' });
  await within(screen.getByRole('dialog')).findByText('Not a picture');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a toast about the next page stays when the dialog closes', async () => {
  render(<InDialog />);
  say({ title: 'Event Created!', at: '/event/7' });
  await within(screen.getByRole('dialog')).findByText('Event Created!');
  act(() => screen.getByRole('button', { name: 'Go' }).click());
  expect(await screen.findByText('Event Created!')).toBeTruthy();
});

test('closes when the user leaves its page, unless it is about the next page', async () => {
  fakeApi({ 'GET /api/events': fakeEvents([]), 'GET /api/events/featured': [], 'GET /api/events/7': eventFixture() });
  renderAt('/');
  await screen.findByText('No events yet');
  say({ title: 'Link Copied' });
  expect(await screen.findByText('Link Copied')).toBeTruthy();
  const [home] = screen.getAllByRole('link', { name: 'Sign in' });
  act(() => home?.click());
  await screen.findByRole('form', { name: 'Sign in' });
  expect(screen.queryByText('Link Copied')).toBeNull();

  say({ title: 'Welcome back!', at: '/' });
  expect(await screen.findByText('Welcome back!')).toBeTruthy();
  const [logo] = screen.getAllByRole('link', { name: 'Beltway' });
  act(() => logo?.click());
  await screen.findByText('No events yet');
  expect(screen.getByText('Welcome back!')).toBeTruthy();
  act(() => screen.getAllByRole('link', { name: 'Sign in' })[0]?.click());
  await screen.findByRole('form', { name: 'Sign in' });
  expect(screen.queryByText('Welcome back!')).toBeNull();
});

test('appears in the strip below the header, which is part of the page and covers nothing', async () => {
  fakeApi({ 'GET /api/events': fakeEvents([]), 'GET /api/events/featured': [] });
  renderAt('/');
  await screen.findByText('No events yet');
  say({ title: 'Link Copied' });
  const shown = await screen.findByText('Link Copied');
  const strip = shown.closest('[data-toasts]')!;
  expect(strip.closest('header')).toBe(screen.getAllByRole('banner')[0]);
  for (let part: Element | null = shown; part && part !== strip.parentElement; part = part.parentElement)
    expect(part.className.split(' ')).not.toContain('fixed');
});

test('the height of the strip is published for elements that stick below the header', () => {
  let measured: () => void = () => undefined;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(measure: () => void) {
        measured = measure;
      }
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  const strip = document.createElement('div');
  Object.defineProperty(strip, 'offsetHeight', { value: 72 });
  const { unmount } = render(<ToastRegion toasts={[]} slot={null} strip={strip} />);
  const { style } = document.documentElement;
  measured();
  expect(style.getPropertyValue('--strip')).toBe('72px');
  unmount();
  expect(style.getPropertyValue('--strip')).toBe('');
});

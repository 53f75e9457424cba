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
import { keepPlaced, placeToast } from './toast-place.ts';
import { toast } from './toast.ts';
import { Toaster } from './toaster.tsx';

vi.mock('socket.io-client', () => ({ io: () => ({ on: vi.fn(), off: vi.fn(), emit: vi.fn(), connected: false }) }));
afterEach(() => vi.restoreAllMocks());

const say = (content: Parameters<typeof toast>[0]) => act(() => toast(content));

test('is read out as sentences', async () => {
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

test('takes room of its own in a dialog, above its buttons, and closes with it', async () => {
  render(<InDialog />);
  say({ title: 'Not a picture' });
  const shown = await within(screen.getByRole('dialog')).findByText('Not a picture');
  const button = screen.getByRole('button', { name: 'Go' });
  expect(shown.compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(shown.closest('.fixed')).toBe(screen.getByRole('dialog'));
  act(() => button.click());
  expect(screen.queryByText('Not a picture')).toBeNull();
});

test('a toast that was raised before a dialog opened can be dismissed in it', async () => {
  render(<InDialog isOpen={false} />);
  say({ title: 'Link Copied' });
  await screen.findByText('Link Copied');
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(await dialog.findByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(dialog.queryByText('Link Copied')).toBeNull());
  expect(screen.getByRole('dialog')).toBeTruthy();
});

test('Escape closes the dialog, with a toast in it too', async () => {
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

test('closes when its page is left, unless it is about the next page', async () => {
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

test('is placed where it covers neither marked elements nor the focused one', () => {
  document.body.innerHTML = `
    <main><button id="near"></button><a href="/" id="far"></a></main>
    <svg data-keep-clear id="code"></svg><ol><li id="toast"></li></ol>`;
  const element = (id: string) => document.getElementById(id)!;
  const top = new DOMRect(0, 70, 390, 80);
  const bottom = new DOMRect(0, 700, 390, 80);
  const isTop = () => element('toast').parentElement?.dataset['place']?.startsWith('top');
  const rects = (of: Record<string, DOMRect>) => {
    for (const id of ['near', 'far', 'code'])
      element(id).getBoundingClientRect = () => of[id] ?? new DOMRect(0, 400, 390, 40);
    element('toast').getBoundingClientRect = () => (isTop() ? top : bottom);
    placeToast(element('toast'));
    return isTop() ? 'top' : 'bottom';
  };
  expect(rects({})).toBe('top');
  expect(rects({ near: top })).toBe('bottom');
  expect(rects({ code: top, near: bottom, far: bottom })).toBe('bottom');
  element('near').focus();
  expect(rects({ near: bottom, far: top })).toBe('top');

  // No place is free: it is put where it hides less of the code, and is made shorter.
  element('near').blur();
  const tall = new DOMRect(0, 140, 390, 600);
  expect(rects({ code: tall, near: top, far: top })).toBe('top');
  expect(element('toast').parentElement?.dataset['tight']).toBe('');
  expect(rects({})).toBe('top');
  expect(element('toast').parentElement?.dataset['tight']).toBeUndefined();
  element('near').focus();
  expect(rects({ near: bottom, far: top })).toBe('top');

  // A ticket is loaded, or scrolled to, below a toast that is there already.
  vi.useFakeTimers();
  const end = keepPlaced(element('toast'));
  expect(isTop()).toBe(true);
  element('code').getBoundingClientRect = () => top;
  element('near').blur();
  vi.advanceTimersByTime(1_000);
  expect(isTop()).toBe(false);
  end();

  // A control that is scrolled below the toast does not move it; one that is loaded there does.
  element('code').getBoundingClientRect = () => new DOMRect(0, 400, 390, 40);
  rects({});
  const endAgain = keepPlaced(element('toast'));
  element('near').getBoundingClientRect = () => top;
  vi.advanceTimersByTime(1_000);
  expect(isTop()).toBe(true);
  const late = Object.assign(document.createElement('button'), { getBoundingClientRect: () => top });
  document.querySelector('main')!.append(late);
  vi.advanceTimersByTime(1_000);
  expect(isTop()).toBe(false);
  endAgain();
  vi.useRealTimers();
  document.body.innerHTML = '';
});

import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));

const open = async (post: unknown = () => new Response(null, { status: 204 })) => {
  const calls = fakeApi({ 'POST /api/contact': post });
  renderAt('/terms#contact');
  const form = await screen.findByRole('form', { name: 'Contact Us' });
  const type = async (label: string, text: string) => {
    await userEvent.clear(within(form).getByLabelText(label));
    if (text) await userEvent.type(within(form).getByLabelText(label), text);
  };
  const send = () => userEvent.click(screen.getByRole('button', { name: 'Send message' }));
  return { sent: () => calls.filter(({ method }) => method === 'POST'), form, type, send };
};

test('sends the message, shows a toast, and closes', async () => {
  const { sent, type, send } = await open();
  await type('Email', 'rosa@example.test');
  await type('Comments', 'May we advertise with you?');
  await send();
  // The dialog closes, and the confirmation appears on the page below it.
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await screen.findByText('Message Sent!')).toBeTruthy();
  expect(await screen.findByText("Thank you for contacting us. We'll get back to you soon.")).toBeTruthy();
  expect(sent().map(({ body }) => body)).toEqual([
    { email: 'rosa@example.test', phone: '', comments: 'May we advertise with you?' },
  ]);
});

test('if email address or comments are missing, nothing is sent, and the fields show what is missing', async () => {
  const { sent, form, type, send } = await open();
  await type('Email', '   ');
  await send();
  expect(await screen.findByText('Required Fields Missing')).toBeTruthy();
  expect(await screen.findByText('Please fill in your email and comments.')).toBeTruthy();
  expect(await within(form).findByText('Please enter your email address')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(within(form).getByLabelText('Email')));
  expect(sent()).toEqual([]);
});

test('a malformed email address is reported as malformed, not as missing', async () => {
  const { sent, form, type, send } = await open();
  await type('Email', 'rosa');
  await type('Comments', 'Hello');
  await send();
  expect(await within(form).findByText(/email address/)).toBeTruthy();
  expect(screen.queryByText('Required Fields Missing')).toBeNull();
  expect(sent()).toEqual([]);
});

test('a failure keeps the text; a retry sends the same message, a changed text is a new message', async () => {
  const { sent, form, type, send } = await open(() => problem(503, 'unavailable'));
  await type('Email', 'rosa@example.test');
  await type('Comments', 'Hello');
  await send();
  expect(await screen.findByText('Failed to send your message. Please try again.')).toBeTruthy();
  expect(within(form).getByLabelText<HTMLTextAreaElement>('Comments').value).toBe('Hello');
  await send();
  await waitFor(() => expect(sent()).toHaveLength(2));
  await type('Comments', 'Hello again');
  await send();
  await waitFor(() => expect(sent()).toHaveLength(3));
  const keys = sent().map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test('the server’s errors are shown at their fields', async () => {
  const { form, type, send } = await open(() =>
    problem(400, 'invalid', { errors: [{ field: 'comments', message: 'must be text' }] }),
  );
  await type('Email', 'rosa@example.test');
  await type('Comments', 'Hello');
  await send();
  expect(await within(form).findByText('must be text')).toBeTruthy();
});

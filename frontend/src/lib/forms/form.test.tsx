import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { TextField } from '../../ui/field.tsx';
import { fieldErrorsOf, useFields } from './form.ts';
import { HttpError } from '../http/http.ts';

const refusedBy = (errors?: { field: string; message: string }[]) =>
  new HttpError(400, '', { type: 'about:blank', title: 'x', status: 400, code: 'invalid', errors }, null);

const schema = z.object({ name: z.string().trim().min(1, 'Name?'), size: z.string().regex(/^\d+$/, 'Digits?') });
const onSubmit = vi.fn();

function Form({ error = null }: { error?: unknown }) {
  const form = useFields({ schema, initial: { name: '', size: '' }, onSubmit, error });
  return (
    <form {...form.props}>
      <TextField {...form.bind('name')} label="Name" />
      <TextField {...form.bind('size')} label="Size" />
      {form.failure !== null && <p>failed</p>}
      <button type="submit">Send</button>
    </form>
  );
}
const field = (label: string) => screen.getByLabelText(label);
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send' }));
const hasFocus = (label: string) => waitFor(() => expect(document.activeElement).toBe(field(label)));

test('a form sends its schema’s output, but only if the input is valid', async () => {
  onSubmit.mockClear();
  render(<Form />);
  await userEvent.type(field('Size'), 'x');
  await send();
  expect([screen.queryByText('Name?'), screen.queryByText('Digits?')]).not.toContain(null);
  await hasFocus('Name');
  expect(onSubmit).not.toHaveBeenCalled();

  // Changing a field removes only its own message.
  await userEvent.type(field('Name'), ' Ann ');
  expect(screen.queryByText('Name?')).toBeNull();
  expect(screen.getByText('Digits?')).toBeTruthy();
  await send();
  await hasFocus('Size');
  await userEvent.clear(field('Size'));
  await userEvent.type(field('Size'), '3');
  await send();
  expect(onSubmit.mock.calls[0]?.[0]).toEqual({ name: 'Ann', size: '3' });
});

test('after each submission, a server error is shown until its field changes', async () => {
  const { rerender } = render(<Form />);
  await userEvent.type(field('Name'), 'Ann');
  await userEvent.type(field('Size'), '3');
  for (let time = 0; time < 2; time++) {
    await send();
    field('Name').focus();
    rerender(<Form error={refusedBy([{ field: 'size', message: 'Too small' }])} />);
    expect(await screen.findByText('Too small')).toBeTruthy();
    await hasFocus('Size');
    expect(screen.queryByText('failed')).toBeNull();
    await userEvent.type(field('Size'), '0');
    expect(screen.queryByText('Too small')).toBeNull();
  }
});

test('an error about no field is a failure; without a submission, an error does not move the focus', async () => {
  const { rerender } = render(<Form error={refusedBy([{ field: 'color', message: 'Not red' }])} />);
  expect(screen.getByText('failed')).toBeTruthy();
  expect(screen.queryByText('Not red')).toBeNull();
  field('Name').focus();
  rerender(<Form error={refusedBy([{ field: 'size', message: 'Too small' }])} />);
  expect(await screen.findByText('Too small')).toBeTruthy();
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(document.activeElement).toBe(field('Name'));
});

test('the first message of a field is shown, and `tags.0` is a message of `tags`', () => {
  const errors = [
    { field: 'eventDate', message: 'past' },
    { field: 'tags.0', message: 'long' },
    { field: 'tags.2', message: 'empty' },
  ];
  expect(fieldErrorsOf(refusedBy(errors))).toEqual({ eventDate: 'past', tags: 'long' });
  expect(fieldErrorsOf(refusedBy())).toEqual({});
  expect(fieldErrorsOf(new TypeError('Failed to fetch'))).toEqual({});
});

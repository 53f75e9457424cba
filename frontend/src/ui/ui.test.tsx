import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Countdown } from './countdown.tsx';
import { QuantityStepper } from './quantity-stepper.tsx';
import { toast } from './toast.ts';
import { Toaster } from './toaster.tsx';

afterEach(() => vi.useRealTimers());

test('one toast is shown at a time, for five seconds', async () => {
  render(<Toaster />);
  act(() => toast({ title: 'First' }));
  expect(await screen.findByText('First')).toBeTruthy();
  vi.useFakeTimers();
  act(() => toast({ title: 'Second', description: 'It takes the place of the first.', variant: 'destructive' }));
  expect(screen.getByText('Second')).toBeTruthy();
  expect(screen.queryByText('First')).toBeNull();
  act(() => void vi.advanceTimersByTime(4_900));
  expect(screen.queryByText('Second')).toBeTruthy();
  act(() => void vi.advanceTimersByTime(200));
  expect(screen.queryByText('Second')).toBeNull();
});

test('a countdown follows the clock and calls onEnd once', () => {
  vi.useFakeTimers({ now: new Date('2030-01-01T12:00:00Z') });
  const onEnd = vi.fn();
  render(<Countdown until="2030-01-01T12:20:00Z" onEnd={onEnd} />);
  expect(screen.getByRole('timer').textContent).toBe('20:00');
  act(() => void vi.advanceTimersByTime(65_000));
  expect(screen.getByRole('timer').textContent).toBe('18:55');
  // Simulates a suspended tab, in which the clock advances without ticks.
  vi.setSystemTime(new Date('2030-01-01T12:19:57Z'));
  act(() => void vi.advanceTimersByTime(1_000));
  expect(screen.getByRole('timer').textContent).toBe('0:02');
  act(() => void vi.advanceTimersByTime(10_000));
  expect(screen.getByRole('timer').textContent).toBe('0:00');
  expect(onEnd).toHaveBeenCalledOnce();
});

function Stepper({ max }: { max: number }) {
  const [value, setValue] = useState(1);
  return <QuantityStepper label="Tickets" value={value} max={max} onChange={setValue} />;
}
test('a quantity stays within its bounds, with buttons and with typing', async () => {
  render(<Stepper max={3} />);
  const less = screen.getByRole<HTMLButtonElement>('button', { name: 'One less' });
  const more = screen.getByRole<HTMLButtonElement>('button', { name: 'One more' });
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Tickets' });
  expect(less.disabled).toBe(true);
  await userEvent.click(more);
  await userEvent.click(more);
  expect(input.value).toBe('3');
  expect(more.disabled).toBe(true);
  await userEvent.clear(input);
  await userEvent.type(input, '99{Enter}');
  expect(input.value).toBe('3');
  await userEvent.clear(input);
  await userEvent.type(input, '0{Enter}');
  expect(input.value).toBe('1');
});

test.each(['-3', '2.7', '2,7', 'x'])('a quantity of %o gets an error and changes nothing', async (typed) => {
  render(<Stepper max={10} />);
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Tickets' });
  await userEvent.clear(input);
  await userEvent.type(input, `${typed}{Enter}`);
  expect(input.value).toBe(typed);
  expect(input.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(input.getAttribute('aria-describedby')!)?.textContent).toBe(
    'Enter a whole number from 1 to 10',
  );
  await userEvent.click(screen.getByRole('button', { name: 'One more' }));
  expect(input.value).toBe('2');
  expect(input.getAttribute('aria-invalid')).toBeNull();
});

import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import { EventFields } from './event-fields.tsx';
import { emptyEvent, type EventForm } from './event-form.ts';

afterEach(() => void vi.useRealTimers());

function Form({ eventDate }: { eventDate: string }) {
  const [values, setValues] = useState<EventForm>({
    ...emptyEvent,
    tags: [...emptyEvent.tags],
    eventDate,
    eventStartTime: '19:00',
  });
  return (
    <EventFields
      hasLostPhoto={false}
      bind={(name) => ({
        ...{ name, value: values[name], error: undefined },
        onChange: (value) => setValues((before) => ({ ...before, [name]: value })),
      })}
    />
  );
}
const time = (label: RegExp, value: string) => {
  const control = screen.getByLabelText(label);
  fireEvent.change(control, { target: { value } });
  return document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent ?? null;
};
const open = (eventDate: string) => {
  fakeApi({});
  renderAt('/', <Form eventDate={eventDate} />);
};

test('a time that the clocks skip is explained while typing', () => {
  open('2030-03-10');
  expect(time(/Start time/, '01:59')).toBeNull();
  const skipped = (clock: string) => `Clocks move forward that night and skip this time, so it becomes ${clock}.`;
  expect(time(/Start time/, '02:30')).toBe(skipped('3:30 AM'));
  expect(time(/End time/, '02:45')).toBe(skipped('3:45 AM'));
  expect(time(/Start time/, '03:00')).toBeNull();
});

test('a time that the clocks show twice is explained on the day the event ends', () => {
  const twice = (clock: string) => `Clocks move back that night and show ${clock} twice. The first one counts.`;
  open('2030-11-02');
  time(/Start time/, '22:00');
  expect(time(/End time/, '01:30')).toBe(twice('1:30 AM'));
  expect(time(/End time/, '02:00')).toBeNull();
  expect(time(/Start time/, '01:30')).toBeNull();
});

test('an end that can only be the second showing of its hour needs no explanation', () => {
  open('2030-11-03');
  time(/Start time/, '01:45');
  expect(time(/End time/, '01:15')).toBeNull();
});

test('several days: the last day moves with the first, and a hint names the day of the end', async () => {
  vi.setSystemTime(new Date('2030-07-01T12:00:00Z'));
  open('2030-07-12');
  expect(screen.queryByRole('button', { name: 'Last day' })).toBeNull();
  await userEvent.click(screen.getByRole('switch', { name: 'Takes several days' }));
  const shown = (name: string) => screen.getByRole('button', { name }).textContent;
  expect(shown('Last day')).toBe('07/13/2030');
  await userEvent.click(screen.getByRole('button', { name: 'Last day' }));
  const choice = (name: RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
  expect(choice(/July 12, 2030/).disabled).toBe(true);
  await userEvent.click(choice(/July 14, 2030/));
  expect(shown('Last day')).toBe('07/14/2030');
  await userEvent.click(screen.getByRole('button', { name: 'Event date' }));
  await userEvent.click(choice(/July 19, 2030/));
  expect([shown('Event date'), shown('Last day')]).toEqual(['07/19/2030', '07/21/2030']);
  expect(time(/End time/, '23:00')).toBe('It ends on Sunday, July 21, 2030.');
  expect(time(/End time/, '02:00')).toBe('It ends on Monday, July 22, 2030.');
  await userEvent.click(screen.getByRole('switch', { name: 'Takes several days' }));
  expect(time(/End time/, '23:00')).toBeNull();
});

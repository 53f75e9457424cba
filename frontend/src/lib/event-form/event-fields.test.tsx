import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import { EventFields } from './event-fields.tsx';
import { emptyEvent, type EventForm } from './event-form.ts';

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
  const skipped = (clock: string) => `Clocks go forward that night and skip this time: it is ${clock} then.`;
  expect(time(/Start time/, '02:30')).toBe(skipped('3:30 AM'));
  expect(time(/End time/, '02:45')).toBe(skipped('3:45 AM'));
  expect(time(/Start time/, '03:00')).toBeNull();
});

test('a time that the clocks show twice is explained, on the day on which the event ends', () => {
  const twice = (clock: string) => `Clocks go back that night and show ${clock} twice: the first one counts.`;
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

import { CreateEventBody } from '@beltway/contracts/catalog/event-bodies';
import { describe, expect, test } from 'vitest';
import { areas } from '@beltway/places/areas';
import { bodyOf, emptyForm, launchSchema, refusalToast, type LaunchForm } from './launch-form.ts';

const whole = (changes: Partial<LaunchForm> = {}): LaunchForm => ({
  ...emptyForm('ann@example.com'),
  title: 'Go-Go Night',
  description: 'Loud.',
  eventDate: '2030-07-12',
  location: 'Shaw, Washington, DC',
  tags: ['#liveDJ'],
  ...changes,
});

/** The messages at the fields and the toast; null when the form may be sent. */
function refusalOf(form: LaunchForm, now = new Date()) {
  const { error } = launchSchema(() => now).safeParse(form);
  if (!error) return null;
  const errors = Object.fromEntries(error.issues.map(({ path, message }) => [path[0], message]));
  return { errors, toast: refusalToast(errors) };
}

describe('required fields', () => {
  test('an empty form names everything, in order', () =>
    expect(refusalOf({ ...emptyForm(), eventStartTime: ' ' })?.toast).toEqual({
      title: 'Missing Required Information',
      description:
        'Please provide the following: Event Title, Event Description, Event Date, Start Time, Event Location, at least one tag, Contact Email',
    }));
  test('a field of blanks is missing', () =>
    expect(refusalOf(whole({ title: '   ' }))?.toast.description).toBe('Please provide the following: Event Title'));
  test('a missing date has a message at its field', () =>
    expect(refusalOf(whole({ eventDate: '' }))?.errors).toEqual({ eventDate: '* Event date is required' }));
  test('a complete form may be sent', () => expect(refusalOf(whole())).toBeNull());
});

test('a contact email must look like one', () =>
  expect(refusalOf(whole({ contactEmail: 'ann@' }))?.toast).toEqual({
    title: 'Invalid Email',
    description: 'Please enter a valid email address for event confirmation',
  }));

describe('tickets', () => {
  const selling = (ticketPrice: string, totalTickets: string) =>
    refusalOf(whole({ hasTickets: true, ticketPrice, totalTickets }));
  test.each(['', '0', '-1', 'abc'])('price %o is refused', (price) =>
    expect(selling(price, '10')?.toast).toEqual({
      title: 'Invalid Ticket Price',
      description: 'Please enter a valid ticket price greater than $0',
    }),
  );
  test.each(['12.345', '0.001', '12.340'])('price %o is refused and not rounded', (price) =>
    expect(selling(price, '10')?.errors).toEqual({
      ticketPrice: 'Please enter a ticket price in dollars and whole cents, such as 12.50',
    }),
  );
  test.each(['0.5', '12.3', '12.34', ' 12 ', '12,50', '1,250', '$25'])('price %o is taken', (price) =>
    expect(selling(price, '10')).toBeNull(),
  );
  test.each(['', '0', '-1', '1.5', '2,7', '0x10', '1000001'])('total %o is refused', (total) =>
    expect(selling('5', total)?.toast).toEqual({
      title: 'Invalid Ticket Quantity',
      description: 'Please enter the total number of tickets available',
    }),
  );
  test('price and total are not checked while the switch is off', () =>
    expect(refusalOf(whole({ ticketPrice: '-1' }))).toBeNull());
});

describe('a start that is past', () => {
  const at = (now: string) => refusalOf(whole(), new Date(now))?.errors;
  test('is refused at the time on its day, at the date from the next day on', () => {
    expect(at('2030-07-12T22:59:59Z')).toBeUndefined();
    expect(at('2030-07-12T23:00:00Z')).toEqual({
      eventStartTime: 'This start time is past. Please choose a later one.',
    });
    expect(at('2030-07-13T04:00:00Z')).toEqual({ eventDate: 'This date is past. Please choose a later one.' });
  });
});

test('the body is the specified one and passes the contract of the server', () => {
  const body = bodyOf(whole({ hasTickets: true, ticketPrice: '25.5', totalTickets: '80' }));
  expect(body).toEqual({
    title: 'Go-Go Night',
    description: 'Loud.',
    eventDate: '2030-07-12T04:00:00.000Z',
    eventStartTime: '19:00',
    eventEndTime: '',
    location: 'Shaw, Washington, DC',
    tags: ['#liveDJ'],
    imageUrl: '',
    hasTickets: true,
    isSponsored: false,
    promotionLevel: 'none',
    contactEmail: 'ann@example.com',
    ticketPrice: 25.5,
    totalTickets: 80,
    ticketSalesEnabled: true,
  });
  expect(CreateEventBody.parse(body)).toMatchObject({ ticketPrice: 2550, totalTickets: 80 });
});

test.each([
  ['12,50', '1,250', 12.5, 1_250],
  ['1,250', '100', 1_250, 100],
])('price %o and total %o are sent as %d and %d', (ticketPrice, totalTickets, price, total) =>
  expect(bodyOf(whole({ hasTickets: true, ticketPrice, totalTickets }))).toMatchObject({
    ticketPrice: price,
    totalTickets: total,
  }),
);

test('without tickets no ticket field is sent', () =>
  expect(Object.keys(bodyOf(whole()))).not.toContain('ticketPrice'));
test('about 55 places to choose from', () => expect(areas.flatMap(({ places }) => places)).toHaveLength(57));

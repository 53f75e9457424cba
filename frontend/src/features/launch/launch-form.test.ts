import { CreateEventBody } from '@beltway/contracts/catalog/event-bodies';
import { describe, expect, test } from 'vitest';
import { eventFixture } from '../../testing/fixtures.ts';
import { areas } from '@beltway/places/areas';
import { bodyOf, copyOf, emptyForm, launchSchema, refusalToast, type LaunchForm } from './launch-form.ts';

const whole = (changes: Partial<LaunchForm> = {}): LaunchForm => ({
  ...emptyForm('ann@example.com'),
  title: 'Go-Go Night',
  description: 'Loud.',
  eventDate: '2030-07-12',
  location: 'Shaw, Washington, DC',
  tags: ['#liveDJ'],
  ...changes,
});

/** The messages at the fields and the toast; null if the form is valid. */
function refusalOf(form: LaunchForm, now = new Date()) {
  const { error } = launchSchema(() => now).safeParse(form);
  if (!error) return null;
  const errors = Object.fromEntries(error.issues.map(({ path, message }) => [path[0], message]));
  return { errors, toast: refusalToast(errors) };
}

describe('required fields', () => {
  test('an empty form lists all required fields, in order', () =>
    expect(refusalOf({ ...emptyForm(), eventStartTime: ' ' })?.toast).toEqual({
      title: 'Missing Required Information',
      description:
        'Please provide the following: Event Title, Event Description, Event Date, Start Time, Event Location, at least one tag, Contact Email',
    }));
  test('a blank field counts as missing', () =>
    expect(refusalOf(whole({ title: '   ' }))?.toast.description).toBe('Please provide the following: Event Title'));
  test('a missing date has a message at its field', () =>
    expect(refusalOf(whole({ eventDate: '' }))?.errors).toEqual({ eventDate: '* Event date is required' }));
  test('a complete form can be sent', () => expect(refusalOf(whole())).toBeNull());
});

test('a contact email must be a valid email address', () =>
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
      ticketPrice: 'Enter a ticket price in dollars and cents, such as 12.50',
    }),
  );
  test.each(['0.5', '12.3', '12.34', ' 12 ', '12,50', '1,250', '$25'])('price %o is accepted', (price) =>
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

describe('a start in the past', () => {
  const at = (now: string) => refusalOf(whole(), new Date(now))?.errors;
  test('is refused at the time field on the same day, and at the date field from the next day on', () => {
    expect(at('2030-07-12T22:59:59Z')).toBeUndefined();
    expect(at('2030-07-12T23:00:00Z')).toEqual({
      eventStartTime: 'This start time has passed. Choose a later one.',
    });
    expect(at('2030-07-13T04:00:00Z')).toEqual({ eventDate: 'This date has passed. Choose a later one.' });
  });
});

test('the request body is as specified and passes the server’s contract', () => {
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

test('an event without tickets is sent without ticket fields', () =>
  expect(Object.keys(bodyOf(whole()))).not.toContain('ticketPrice'));
test('free entry is sent only if the organizer stated it, and never for an event that sells tickets', () => {
  expect(bodyOf(whole())).not.toHaveProperty('freeEntry');
  expect(CreateEventBody.parse(bodyOf(whole({ freeEntry: true })))).toMatchObject({ freeEntry: true });
  const selling = whole({ freeEntry: true, hasTickets: true, ticketPrice: '25', totalTickets: '80' });
  expect(bodyOf(selling)).not.toHaveProperty('freeEntry');
});
test('there are 57 places to choose from', () => expect(areas.flatMap(({ places }) => places)).toHaveLength(57));

describe('an event of several days', () => {
  const lasting = (eventLastDate: string) => whole({ eventLastDate });
  test.each(['2030-07-12', '2030-07-11', '2030-08-12'])('may not end on %s', (last) =>
    expect(refusalOf(lasting(last))).toEqual({
      errors: { eventLastDate: 'The last day comes after the first one. An event takes at most 31 days.' },
      toast: {
        title: 'Choose a later date',
        description: 'The last day comes after the first one. An event takes at most 31 days.',
      },
    }),
  );
  test('is sent with its last day; a copy has neither the first nor the last day', () => {
    expect(refusalOf(lasting('2030-08-11'))).toBeNull();
    const body = bodyOf(lasting('2030-07-14'));
    expect(CreateEventBody.parse(body)).toMatchObject({
      eventDate: '2030-07-12T04:00:00.000Z',
      eventLastDate: '2030-07-14T04:00:00.000Z',
    });
    const copy = copyOf(eventFixture({ eventLastDate: '2030-07-14T04:00:00.000Z' }));
    expect([copy.eventDate, copy.eventLastDate]).toEqual(['', '']);
  });
});

describe('the times of the sale', () => {
  const selling = { hasTickets: true, ticketPrice: '5', totalTickets: '10' };
  test('are sent as instants, and only if they were entered', () => {
    const times = { ticketSalesStartTime: '2030-07-01T12:00', ticketSalesEndTime: '2030-07-12T18:30' };
    expect(CreateEventBody.parse(bodyOf(whole({ ...selling, ...times })))).toMatchObject({
      ...{ ticketSalesStartTime: '2030-07-01T16:00:00.000Z', ticketSalesEndTime: '2030-07-12T22:30:00.000Z' },
    });
    expect(bodyOf(whole(selling))).not.toHaveProperty('ticketSalesStartTime');
    expect(bodyOf(whole(times))).not.toHaveProperty('ticketSalesEndTime');
  });
  test('an end before the start, or in the past, is refused', () => {
    const refused = (ticketSalesStartTime: string, ticketSalesEndTime: string) =>
      refusalOf(whole({ ...selling, ticketSalesStartTime, ticketSalesEndTime }), new Date('2030-07-01T00:00:00Z'));
    expect(refused('2030-07-10T12:00', '2030-07-10T12:00')?.toast).toEqual({
      title: 'Check the sales times',
      description: 'Sales must end after they start.',
    });
    expect(refused('', '2030-06-30T12:00')?.errors).toEqual({
      ticketSalesEndTime: 'This time has passed. Choose a later one.',
    });
    expect(refused('2030-07-01T12:00', '2030-07-10T12:00')).toBeNull();
  });
  test('a copy has no sale times', () =>
    expect(copyOf(eventFixture({ ticketSalesStartTime: '2030-07-01T16:00:00.000Z' }))).toMatchObject({
      ticketSalesStartTime: '',
    }));
});

test('the street address is sent only if it was entered', () => {
  expect(bodyOf(whole({ address: ' 12 Elm St ' }))).toMatchObject({ address: '12 Elm St' });
  expect(bodyOf(whole({ address: ' ' }))).not.toHaveProperty('address');
});

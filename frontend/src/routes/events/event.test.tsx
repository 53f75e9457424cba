import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { eventFixture, sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({ io: () => ({ on: vi.fn(), off: vi.fn(), emit: vi.fn(), connected: false }) }));
afterEach(() => vi.unstubAllGlobals());

let app: ReturnType<typeof renderAt>;
const open = (event: unknown, more: Record<string, unknown> = {}) => {
  const calls = fakeApi({ 'GET /api/events/7': event, ...more });
  app = renderAt('/event/7');
  return calls;
};
const title = () => screen.findByRole('heading', { level: 1 });

test('says what, when and where', async () => {
  open(eventFixture({ isSponsored: true }));
  expect((await title()).textContent).toBe('Go-Go on the Roof');
  for (const words of ['Friday, July 12, 2030', '7 PM – 11:30 PM', 'U Street, Washington, DC', 'SPONSORED'])
    expect(screen.getByText(words)).toBeTruthy();
  expect(screen.getByText(/^Live go-go band/)).toBeTruthy();
  expect(screen.getByRole('link', { name: '#rooftop' }).getAttribute('href')).toBe('/?tag=%23rooftop');
  expect(screen.getByRole('button', { name: 'Share' })).toBeTruthy();
});

test.each([
  ['premium', 1],
  ['livestream', 1],
  ['featured', 0],
  ['none', 0],
] as const)('of the level %s has %i badge PREMIUM', async (promotionLevel, badges) => {
  open(eventFixture({ isSponsored: promotionLevel !== 'none', promotionLevel }));
  await title();
  expect(screen.queryAllByText('PREMIUM')).toHaveLength(badges);
});

test('goes into any calendar, as long as it has a time to come', async () => {
  open(eventFixture());
  await userEvent.click(await screen.findByRole('button', { name: 'Add to calendar' }));
  const file = await screen.findByRole('menuitem', { name: 'Calendar file (.ics)' });
  expect(file.getAttribute('href')).toBe('/api/events/7.ics');
  const google = screen.getByRole('menuitem', { name: 'Google Calendar' });
  const { searchParams } = new URL(google.getAttribute('href')!);
  expect([searchParams.get('text'), searchParams.get('details')]).toEqual([
    'Go-Go on the Roof',
    'http://localhost:3000/event/7',
  ]);
  expect(google.getAttribute('rel')).toBe('noopener');
});

test.for([{ status: 'canceled' }, { status: 'postponed' }, { eventDate: '2020-07-12T04:00:00.000Z' }] as const)(
  'goes into no calendar without one (%o)',
  async (more) => {
    open(eventFixture(more));
    await title();
    expect(screen.queryByRole('button', { name: 'Add to calendar' })).toBeNull();
  },
);

test.for([
  ['GET /api/events/7', '/event/7'],
  ['nothing', '/event/seven'],
] as const)('an event that does not exist (%s)', async ([, path]) => {
  fakeApi({});
  renderAt(path);
  expect(await screen.findByRole('heading', { name: 'Event Not Found' })).toBeTruthy();
});

test('an unreachable server can be asked again', async () => {
  let asked = 0;
  open(() => (asked++ === 0 ? problem(503, 'unavailable', { detail: 'Back in a moment.' }) : eventFixture()));
  expect(await screen.findByText('Back in a moment.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect((await title()).textContent).toBe('Go-Go on the Roof');
});

describe('tickets', () => {
  const box = async () => within(await screen.findByRole('region', { name: 'Tickets' }));
  test('can be bought', async () => {
    open(eventFixture());
    const tickets = await box();
    expect(tickets.getByText('58 of 100 available')).toBeTruthy();
    expect(tickets.getByText('42 sold')).toBeTruthy();
    expect(tickets.getByRole('link', { name: 'Buy Tickets' }).getAttribute('href')).toBe('/ticket-checkout?eventId=7');
  });
  test('are all held by other buyers', async () => {
    open(eventFixture({ soldTickets: 98, heldTickets: 2 }));
    expect((await box()).getByText(/^All that is left is in other baskets right now/)).toBeTruthy();
  });
  test.for([
    ['sold out', { soldTickets: 100 }, 'Sold Out', 'Every ticket is sold.'],
    [
      'not yet',
      { ticketSalesStartTime: '2030-07-01T16:00:00.000Z' },
      'Not on sale yet',
      'Sales start on 07/01/2030, 12:00 PM.',
    ],
    [
      'over',
      { eventDate: '2020-07-12T04:00:00.000Z', ticketSalesEndTime: '2100-01-01T00:00:00.000Z' },
      'Event ended',
      'This event is over. No more tickets are sold.',
    ],
    [
      'past its sales',
      { ticketSalesEndTime: '2020-07-12T04:00:00.000Z' },
      'Sales ended',
      'Ticket sales for this event have ended.',
    ],
    ['canceled', { status: 'canceled' }, 'Canceled', 'This event was canceled. Every ticket is refunded.'],
    [
      'postponed, whatever its old date',
      { status: 'postponed', eventDate: '2020-07-12T04:00:00.000Z' },
      'Postponed',
      'Tickets are sold again when the event has a new date.',
    ],
  ] as const)('%s', async ([, changes, sign, why]) => {
    open(eventFixture(changes));
    const tickets = await box();
    expect(tickets.getByText(sign)).toBeTruthy();
    expect(tickets.getByText(why)).toBeTruthy();
    expect(tickets.queryByRole('link')).toBeNull();
  });
  const unsold = { hasTickets: false, ticketSalesEnabled: false, ticketPrice: null, totalTickets: null };
  test('are not sold here at all', async () => {
    open(eventFixture(unsold));
    expect((await box()).getByText('No tickets here')).toBeTruthy();
  });
  test('are not needed', async () => {
    open(eventFixture({ ...unsold, tags: ['#Free'] }));
    expect((await box()).getByText('Free entry, no ticket needed')).toBeTruthy();
    expect(screen.getAllByText('Free entry, no ticket needed')).toHaveLength(2);
  });
});

test('a canceled event says so before all else', async () => {
  open(eventFixture({ status: 'canceled' }));
  const banner = await screen.findByRole('region', { name: 'This event is canceled' });
  expect(banner.textContent).toContain('buyers get the whole price back');
  expect(banner.compareDocumentPosition(await title())).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('a postponed event says so before all else, and shows no date as its own', async () => {
  open(eventFixture({ status: 'postponed' }));
  const banner = await screen.findByRole('region', { name: 'This event is postponed' });
  expect(banner.textContent).toContain('It does not take place on Friday, July 12, 2030. A new date is to come.');
  expect(banner.textContent).toContain('Tickets stay valid');
  expect(screen.getByText('Postponed, new date to come')).toBeTruthy();
  expect(screen.queryByText('7 PM – 11:30 PM')).toBeNull();
});

describe('a date of a series', () => {
  const date = (id: number, more = {}) =>
    eventFixture({ id, seriesId: 7, eventDate: `2030-07-${id + 10}T04:00:00.000Z`, ...more });
  test('shows the others, five at first', async () => {
    const others = [8, 9, 10, 11, 12, 13].map((id) => date(id, id === 9 ? { soldTickets: 100 } : {}));
    open(date(7), { 'GET /api/events/7/dates': others });
    const list = within(await screen.findByRole('region', { name: 'Other dates' }));
    expect(list.getAllByRole('link')).toHaveLength(5);
    expect(list.getAllByRole('link')[0]?.getAttribute('href')).toBe('/event/8');
    expect(list.getAllByRole('link')[1]?.textContent).toContain('Sold Out');
    await userEvent.click(list.getByRole('button', { name: 'Show all 6' }));
    expect(list.getAllByRole('link')).toHaveLength(6);
  });
  test('of an event that takes place once nobody asks', async () => {
    const calls = open(eventFixture());
    await title();
    expect(calls.some(({ path }) => path.endsWith('/dates'))).toBe(false);
  });
});

describe('an event that was launched a moment ago', () => {
  const arrive = (event = eventFixture()) => {
    fakeApi({ 'GET /api/events/7': event });
    renderAt('/nowhere');
    act(() => {
      window.history.pushState({ usr: { isLaunched: true }, key: 'launched', idx: 1 }, '', '/event/7');
      window.dispatchEvent(new PopStateEvent('popstate'));
    });
  };
  test('shows a panel to share it', async () => {
    const user = userEvent.setup();
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    arrive();
    const panel = within(await screen.findByRole('region', { name: /Your event is live/ }));
    expect(panel.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
      'Copy Link',
      'Share on WhatsApp',
      'Copy for Instagram',
      'Share on Twitter',
      'Share on Facebook',
      'Close',
    ]);
    await user.click(panel.getByRole('button', { name: 'Copy Link' }));
    expect(write).toHaveBeenCalledWith('http://localhost:3000/event/7');
    expect(await screen.findByText('Link Copied')).toBeTruthy();
    await user.click(panel.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: /Your event is live/ })).toBeNull());
  });
  test('shows no such panel when it is canceled by now', async () => {
    arrive(eventFixture({ status: 'canceled' }));
    await title();
    expect(screen.queryByRole('region', { name: /Your event is live/ })).toBeNull();
  });
});

describe('the owner', () => {
  const owned = (more: Record<string, unknown> = {}, event = eventFixture({ userId: 3 })) => {
    sessionStore.set(sessionFixture({ id: 3 }));
    return open(event, more);
  };
  const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
  test('is the only one with tools', async () => {
    sessionStore.set(sessionFixture({ id: 4 }));
    open(eventFixture({ userId: 3 }));
    await title();
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
  });
  test('has no tools for a canceled event', async () => {
    owned({}, eventFixture({ userId: 3, status: 'canceled' }));
    await title();
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
  });
  test('sends only the fields that were changed', async () => {
    const calls = owned({ 'PATCH /api/events/7': eventFixture({ title: 'Go-Go' }) });
    await press('Edit');
    const input = await screen.findByLabelText('Event title');
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    await userEvent.clear(input);
    await userEvent.type(input, 'Go-Go');
    await press('Save');
    expect(await screen.findByText('Event changed')).toBeTruthy();
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ title: 'Go-Go' });
  });
  test('does not undo a change that somebody else made during editing', async () => {
    let event = eventFixture({ userId: 3 });
    const calls = owned({ 'GET /api/events/7': () => event, 'PATCH /api/events/7': event });
    await press('Edit');
    const input = await screen.findByLabelText('Event title');
    event = eventFixture({ userId: 3, location: 'Shaw, Washington, DC', totalTickets: 200 });
    await act(async () => void (await app.queries.invalidateQueries({ queryKey: ['/api/events'] })));
    await userEvent.type(input, '!');
    await press('Save');
    await screen.findByText('Event changed');
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ title: 'Go-Go on the Roof!' });
  });
  describe('when somebody else has changed it meanwhile', () => {
    const mine = eventFixture({ userId: 3, version: 4 });
    /** A server that refuses what was made on an older version. */
    const edited = (theirs: Partial<typeof mine>) => {
      const now = { ...mine, version: 6, ...theirs };
      return owned(
        {
          'GET /api/events/7/managed': now,
          'PATCH /api/events/7': ({ headers }: { headers: Headers }) =>
            headers.get('if-match') === '"6"' ? now : problem(412, 'changed-meanwhile', { detail: 'changed' }),
        },
        mine,
      );
    };
    const patches = (calls: ReturnType<typeof edited>) => calls.filter(({ method }) => method === 'PATCH');

    test('is told what, keeps what was typed, and sends it on the new version', async () => {
      const calls = edited({ title: 'Go-Go in the Cellar', location: 'Shaw, Washington, DC', totalTickets: 200 });
      await press('Edit');
      await userEvent.type(await screen.findByLabelText('Event title'), '!');
      await userEvent.type(screen.getByLabelText('Event description'), ' New words.');
      await press('Save');
      const told = await screen.findByRole('alert');
      expect(told.textContent).toContain('This event was changed meanwhile');
      expect(told.textContent).toContain('Title is now ‘Go-Go in the Cellar’. Yours is in the form.');
      expect(told.textContent).toContain('Place is now ‘Shaw, Washington, DC’. It is in the form.');
      expect(told.textContent).toContain('Total tickets is now ‘200’. It is in the form.');
      expect(screen.getByLabelText<HTMLInputElement>('Event title').value).toBe('Go-Go on the Roof!');
      expect(screen.getByLabelText<HTMLInputElement>('Total tickets').value).toBe('200');
      await press('Save');
      await screen.findByText('Event changed');
      expect(patches(calls).map(({ headers }) => headers.get('if-match'))).toEqual(['"4"', '"6"']);
      expect(patches(calls)[1]?.body).toEqual({
        title: 'Go-Go on the Roof!',
        description: `${mine.description} New words.`,
      });
    });
    test('can take theirs instead', async () => {
      edited({ title: 'Go-Go in the Cellar' });
      await press('Edit');
      await userEvent.type(await screen.findByLabelText('Event title'), '!');
      await press('Save');
      await press('Take theirs for title');
      expect(screen.getByLabelText<HTMLInputElement>('Event title').value).toBe('Go-Go in the Cellar');
      expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    });
    test('is not asked about what is not in the form', async () => {
      const calls = edited({});
      await press('Edit');
      await userEvent.type(await screen.findByLabelText('Event title'), '!');
      await press('Save');
      await screen.findByText('Event changed');
      expect(patches(calls)).toHaveLength(2);
    });
    test('keeps all of it in the draft', async () => {
      edited({ title: 'Go-Go in the Cellar' });
      await press('Edit');
      await userEvent.type(await screen.findByLabelText('Event title'), '!');
      await press('Save');
      await screen.findByRole('alert');
      await press('Close');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await press('Edit');
      expect((await screen.findByLabelText<HTMLInputElement>('Event title')).value).toBe('Go-Go on the Roof!');
      await press('Save');
      expect(await screen.findByText('Event changed')).toBeTruthy();
    });
    test('sends a request whose answer was lost again as the same', async () => {
      let tries = 0;
      const calls = owned({ 'PATCH /api/events/7': () => (tries++ === 0 ? problem(503, 'unavailable') : mine) }, mine);
      await press('Edit');
      await userEvent.type(await screen.findByLabelText('Event title'), '!');
      await press('Save');
      await screen.findByRole('alert');
      await press('Save');
      await screen.findByText('Event changed');
      const keys = calls
        .filter(({ method }) => method === 'PATCH')
        .map(({ headers }) => headers.get('idempotency-key'));
      expect(keys[0]).toBeTruthy();
      expect(keys[1]).toBe(keys[0]);
    });
  });
  test('changes picture, tags, date and place as they were chosen', async () => {
    const photo = '/media/images/0af3-large.webp';
    const calls = owned({ 'PATCH /api/events/7': eventFixture() }, eventFixture({ userId: 3, imageUrl: photo }));
    await press('Edit');
    expect((await screen.findByAltText('Preview of your event photo')).getAttribute('src')).toBe(photo);
    await press('Remove photo');
    await press('#rooftop');
    await userEvent.type(screen.getByRole('textbox', { name: 'Tags' }), 'Late Night');
    await press('Add');
    expect(screen.getByText('A tag is one word of letters and digits, such as #LateNight.')).toBeTruthy();
    await userEvent.clear(screen.getByRole('textbox', { name: 'Tags' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Tags' }), 'LateNight');
    await press('Add');
    await userEvent.click(screen.getByLabelText('Event date'));
    await userEvent.click(screen.getByRole('button', { name: 'Saturday, July 13, 2030' }));
    await userEvent.selectOptions(screen.getByLabelText('Event location'), 'Shaw, Washington, DC');
    await press('Save');
    await screen.findByText('Event changed');
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({
      imageUrl: '',
      tags: ['#liveDJ', '#LateNight'],
      eventDate: '2030-07-13T04:00:00.000Z',
      location: 'Shaw, Washington, DC',
    });
  });
  test('Back closes what was opened', async () => {
    owned();
    await press('Edit');
    await screen.findByRole('dialog', { name: 'Edit event' });
    act(() => window.history.back());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByTestId('address').textContent).toBe('/event/7');
  });
  describe('the draft of a change', () => {
    const close = async () => {
      await press('Close');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    };
    const typed = async (text: string) => userEvent.type(await screen.findByLabelText('Event title'), text);
    const titleField = () => screen.findByLabelText<HTMLInputElement>('Event title');

    test('is kept when the dialog closes, and is compared with the event as it was when editing began', async () => {
      let event = eventFixture({ userId: 3 });
      const calls = owned({ 'GET /api/events/7': () => event, 'PATCH /api/events/7': event });
      await press('Edit');
      await typed('!');
      await close();
      event = eventFixture({ userId: 3, location: 'Shaw, Washington, DC' });
      await act(async () => void (await app.queries.invalidateQueries({ queryKey: ['/api/events'] })));
      await press('Edit');
      expect(await screen.findByText('Your draft is as you left it.')).toBeTruthy();
      expect((await titleField()).value).toBe('Go-Go on the Roof!');
      await press('Save');
      await screen.findByText('Event changed');
      expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ title: 'Go-Go on the Roof!' });
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await press('Edit');
      await titleField();
      expect(screen.queryByText(/Your draft/)).toBeNull();
    });
    test('is dropped by Start over and by Keep as it was', async () => {
      owned();
      await press('Edit');
      await typed('!');
      await close();
      await press('Edit');
      await press('Start over');
      expect((await titleField()).value).toBe('Go-Go on the Roof');
      await typed('?');
      await press('Keep as it was');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await press('Edit');
      expect((await titleField()).value).toBe('Go-Go on the Roof');
    });
    test('keeps a photo, and says so when the browser could not', async () => {
      const photo = 'data:image/png;base64,AAAA';
      const form = { before: {}, form: {} };
      const fields = { title: 'Go-Go on the Roof', description: 'd', imageUrl: '', location: 'Shaw, Washington, DC' };
      const times = { tags: ['#liveDJ'], eventDate: '2030-07-12', eventStartTime: '19:00', eventEndTime: '' };
      const whole = { ...fields, ...times, ticketPrice: '25.00', totalTickets: '100', refundDeadlineHours: '24' };
      Object.assign(form, { before: whole, form: whole });
      const keep = (name: string, value: unknown) =>
        sessionStorage.setItem(`beltway.draft.${name}`, JSON.stringify({ userId: 3, value }));
      keep('edit-7', { value: form, hasPhoto: true });
      keep('edit-7-photo', photo);
      owned();
      await press('Edit');
      expect((await screen.findByAltText('Preview of your event photo')).getAttribute('src')).toBe(photo);
      await close();
      sessionStorage.removeItem('beltway.draft.edit-7-photo');
      await press('Edit');
      expect(await screen.findByText(/too large for this browser to keep/)).toBeTruthy();
    });
  });
  test('sees a field error of the server at its field', async () => {
    const errors = [{ field: 'totalTickets', message: 'Fewer than are sold' }];
    owned({ 'PATCH /api/events/7': () => problem(400, 'invalid', { errors }) });
    await press('Edit');
    const total = await screen.findByLabelText('Total tickets');
    await userEvent.clear(total);
    await userEvent.type(total, '3');
    await press('Save');
    expect(await screen.findByText('Fewer than are sold')).toBeTruthy();
    expect(screen.getByLabelText('Total tickets').getAttribute('aria-invalid')).toBe('true');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Total tickets')));
  });
  test('postpones, and gives it a new date afterwards', async () => {
    const off = eventFixture({ userId: 3, status: 'postponed' });
    let event = eventFixture({ userId: 3 });
    const calls = owned({
      'GET /api/events/7': () => event,
      'POST /api/events/7/postpone': () => (event = off),
      'PATCH /api/events/7': off,
    });
    await press('Postpone');
    const dialog = await screen.findByRole('dialog', { name: 'Postpone this event?' });
    expect(dialog.textContent).toContain('42 tickets are sold: they stay valid, and their buyers are told by email.');
    await press('Postpone the event');
    expect(await screen.findByText('Event postponed')).toBeTruthy();
    expect(await screen.findByRole('region', { name: 'This event is postponed' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Postpone' })).toBeNull();
    await press('Give it a new date');
    expect((await screen.findByLabelText('Event date')).textContent).toContain('MM/DD/YYYY');
    await userEvent.type(screen.getByLabelText('Event title'), '!');
    await press('Save');
    await screen.findByText('Event changed');
    // Without a date chosen it is still postponed.
    expect(calls.findLast(({ method }) => method === 'PATCH')?.body).toEqual({ title: 'Go-Go on the Roof!' });
  });
  test('is told the consequences before canceling', async () => {
    const calls = owned({ 'POST /api/events/7/cancel': eventFixture({ status: 'canceled' }) });
    await press('Cancel event');
    expect((await screen.findByRole('dialog')).textContent).toContain('42 tickets are sold: every buyer is refunded');
    await press('Cancel it and refund everybody');
    expect(await screen.findByText('Every buyer gets the whole price back.')).toBeTruthy();
    expect(calls.some(({ path }) => path === '/api/events/7/cancel')).toBe(true);
  });
  describe('an event that is over', () => {
    const over = eventFixture({ userId: 3, eventDate: '2020-07-12T04:00:00.000Z' });
    const asAdmin = (more: Record<string, unknown>) => {
      sessionStore.set(sessionFixture({ id: 1, role: 'admin' }));
      return open(over, more);
    };
    const figures = (orders: number, refundCents: number) => ({ eventId: 7, isOver: true, orders, refundCents });

    test('is not canceled by its organizer any longer', async () => {
      owned({}, over);
      expect(await screen.findByRole('button', { name: 'Edit' })).toBeTruthy();
      expect(screen.queryByRole('button', { name: 'Cancel event' })).toBeNull();
    });
    test('is canceled by an admin who has seen what goes back', async () => {
      const calls = asAdmin({
        'GET /api/events/7/cancellation': figures(3, 7_500),
        'POST /api/events/7/cancel': eventFixture({ status: 'canceled' }),
      });
      await press('Cancel event');
      expect(await screen.findByText(/3 orders are refunded, \$75\.00 in all/)).toBeTruthy();
      await press('Cancel it and refund $75.00');
      expect(await screen.findByText('Event canceled')).toBeTruthy();
      expect(calls.find(({ path, method }) => method === 'POST' && path === '/api/events/7/cancel')?.body).toEqual({
        confirm: { orders: 3, refundCents: 7_500 },
      });
    });
    test('is not canceled with figures of before: the new ones are shown first', async () => {
      let asked = 0;
      let sent = 0;
      const calls = asAdmin({
        'GET /api/events/7/cancellation': () => (asked++ === 0 ? figures(3, 7_500) : figures(2, 5_000)),
        'POST /api/events/7/cancel': () =>
          sent++ === 0 ? problem(409, 'confirm-refunds') : eventFixture({ status: 'canceled' }),
      });
      await press('Cancel event');
      await press('Cancel it and refund $75.00');
      expect(await screen.findByText(/2 orders are refunded, \$50\.00 in all/)).toBeTruthy();
      await press('Cancel it and refund $50.00');
      expect(await screen.findByText('Event canceled')).toBeTruthy();
      expect(calls.findLast(({ method }) => method === 'POST')?.body).toEqual({
        confirm: { orders: 2, refundCents: 5_000 },
      });
    });
    test('is not canceled while the figures are not known', async () => {
      asAdmin({ 'GET /api/events/7/cancellation': () => problem(503, 'unavailable') });
      await press('Cancel event');
      expect(await screen.findByRole('alert')).toBeTruthy();
      expect(screen.getByRole('button', { name: /^Cancel it and refund/ })).toHaveProperty('disabled', true);
    });
  });
  test('duplicates it, a canceled one too', async () => {
    for (const status of ['published', 'canceled'] as const) {
      owned(
        { 'GET /api/events/7/managed': eventFixture({ userId: 3, status, contactEmail: 'org@example.com' }) },
        eventFixture({ userId: 3, status }),
      );
      await press('Duplicate');
      expect((await screen.findByLabelText<HTMLInputElement>('Event title')).value).toBe('Go-Go on the Roof');
      expect(screen.getByRole('dialog', { name: 'Duplicate event' })).toBeTruthy();
      act(() => window.history.back());
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      cleanup();
    }
  });
  test('has the way to the studio of its live stream', async () => {
    owned();
    await screen.findByRole('button', { name: 'Duplicate' });
    expect(screen.queryByRole('link', { name: 'Studio' })).toBeNull();
    cleanup();
    owned({}, eventFixture({ userId: 3, isLivestream: true }));
    expect((await screen.findByRole('link', { name: 'Studio' })).getAttribute('href')).toBe('/studio/7');
    expect(await screen.findByRole('region', { name: 'Live stream' })).toBeTruthy();
  });
  test('can keep the event instead of canceling it', async () => {
    const calls = owned();
    await press('Cancel event');
    await press('Keep the event');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls.every(({ method }) => method === 'GET')).toBe(true);
  });
});

describe('the whole page', () => {
  const organizer = { id: 3, name: 'Roof Collective', followers: 1 };
  test('leads to the organizer, the way there, the refund rule and similar events', async () => {
    open(eventFixture({ organizerName: 'Roof Collective' }), {
      'GET /api/organizers/3': organizer,
      'GET /api/events/7/similar': [eventFixture({ id: 8, title: 'Another Roof' })],
    });
    const box = within(await screen.findByRole('region', { name: 'Organized by' }));
    expect(box.getByRole('link', { name: 'Roof Collective' }).getAttribute('href')).toBe('/organizer/3');
    expect(await box.findByText('1 follower')).toBeTruthy();
    const directions = screen.getByRole('link', { name: /^Directions/ });
    expect(directions.getAttribute('href')).toBe(
      'https://www.google.com/maps/dir/?api=1&destination=U+Street%2C+Washington%2C+DC',
    );
    expect(directions.getAttribute('rel')).toContain('noopener');
    expect(screen.getByText(/If the organizer cancels, every order is refunded/)).toBeTruthy();
    const similar = within(await screen.findByRole('region', { name: 'More like this' }));
    expect(similar.getByRole('link', { name: /Another Roof/ }).getAttribute('href')).toBe('/event/8');
  });

  test('says nothing of refunds where nothing is sold, and shows no empty list', async () => {
    open(eventFixture({ hasTickets: false }), { 'GET /api/events/7/similar': [] });
    await title();
    expect(screen.queryByRole('region', { name: 'Refunds' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'More like this' })).toBeNull();
  });

  test('a place that looks like an address is only searched for', async () => {
    open(eventFixture({ location: 'javascript:alert(1)&destination=x' }));
    await title();
    expect(screen.getByRole('link', { name: /^Directions/ }).getAttribute('href')).toBe(
      'https://www.google.com/maps/dir/?api=1&destination=javascript%3Aalert%281%29%26destination%3Dx',
    );
  });
});

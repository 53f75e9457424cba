import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
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
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

test('shows title, time and place', async () => {
  open(eventFixture({ isSponsored: true }));
  expect((await title()).textContent).toBe('Go-Go on the Roof');
  for (const words of ['Friday, July 12, 2030', '7 PM – 11:30 PM', 'U Street, Washington, DC', 'SPONSORED'])
    expect(screen.getByText(words)).toBeTruthy();
  expect(screen.getByText(/^Live go-go band/)).toBeTruthy();
  // The picture contains no text, because the heading already has it.
  expect(document.querySelector('article img')?.getAttribute('src')).toContain('plain');
  expect(screen.getByRole('link', { name: '#rooftop' }).getAttribute('href')).toBe('/?tag=%23rooftop');
  expect(screen.getByRole('button', { name: 'Share' })).toBeTruthy();
});

test('shows links, lists and line breaks of the description', async () => {
  open(eventFixture({ description: 'Bring:\n- [tickets](https://example.com/t)\n- <b>friends</b>' }));
  await title();
  const link = screen.getByRole('link', { name: 'tickets' });
  expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
    'https://example.com/t',
    'nofollow ugc noopener noreferrer',
  ]);
  expect(screen.getByText('<b>friends</b>').tagName).toBe('LI');
});

test('shows the exact street address, and links to directions', async () => {
  open(eventFixture({ address: '815 V St NW' }));
  await title();
  expect(screen.getByText('815 V St NW')).toBeTruthy();
  expect(screen.getByRole('link', { name: /^Directions/ }).getAttribute('href')).toContain(
    'destination=815+V+St+NW%2C+U',
  );
});

test.each([
  ['premium', 1],
  ['livestream', 1],
  ['featured', 0],
  ['none', 0],
] as const)('an event of the level %s has %i PREMIUM badges', async (promotionLevel, badges) => {
  open(eventFixture({ isSponsored: promotionLevel !== 'none', promotionLevel }));
  await title();
  expect(screen.queryAllByText('PREMIUM')).toHaveLength(badges);
});

test('an upcoming event can be added to any calendar', async () => {
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
  'an event without an upcoming date cannot be added to a calendar (%o)',
  async (more) => {
    open(eventFixture(more));
    await title();
    expect(screen.queryByRole('button', { name: 'Add to calendar' })).toBeNull();
  },
);

test.for([
  ['GET /api/events/7', '/event/7'],
  ['nothing', '/event/seven'],
] as const)('an unknown event is not found (%s)', async ([, path]) => {
  fakeApi({});
  renderAt(path);
  expect(await screen.findByRole('heading', { name: 'Event Not Found' })).toBeTruthy();
});

test('an unreachable server can be retried', async () => {
  let asked = 0;
  open(() => (asked++ === 0 ? problem(503, 'unavailable', { detail: 'Back in a moment.' }) : eventFixture()));
  expect(await screen.findByText('Back in a moment.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect((await title()).textContent).toBe('Go-Go on the Roof');
});

describe('tickets', () => {
  const box = async () => within(await screen.findByRole('region', { name: 'Tickets' }));
  test('are on sale', async () => {
    open(eventFixture());
    const tickets = await box();
    expect(tickets.getByText('58 of 100 available')).toBeTruthy();
    expect(tickets.getByText('42 sold')).toBeTruthy();
    expect(tickets.getByRole('link', { name: 'Buy Tickets' }).getAttribute('href')).toBe('/ticket-checkout?eventId=7');
  });
  test('are requested again when the event is opened again more than 30 seconds later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    let event = eventFixture({ soldTickets: 100 });
    const calls = open(() => event);
    expect((await box()).getByText('Sold Out')).toBeTruthy();
    act(() => app.navigate('/nowhere'));
    await screen.findByRole('heading', { name: 'You missed the exit' });
    event = eventFixture();
    vi.setSystemTime(Date.now() + 31_000);
    act(() => app.navigate('/event/7'));
    expect(await screen.findByText('58 of 100 available')).toBeTruthy();
    expect(calls.filter(({ path }) => path === '/api/events/7')).toHaveLength(2);
  });
  test('are all held by other buyers', async () => {
    open(eventFixture({ soldTickets: 98, heldTickets: 2 }));
    expect((await box()).getByText(/^The last tickets are in other people’s carts/)).toBeTruthy();
  });
  test.for([
    ['sold out', { soldTickets: 100 }, 'Sold Out', 'All tickets are sold.'],
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
      'This event is over. Tickets are no longer on sale.',
    ],
    [
      'past its sales',
      { ticketSalesEndTime: '2020-07-12T04:00:00.000Z' },
      'Sales ended',
      'Ticket sales for this event have ended.',
    ],
    [
      'canceled',
      { status: 'canceled' },
      'Canceled',
      'This event was canceled. All tickets are being refunded in full.',
    ],
    [
      'postponed, whatever its old date',
      { status: 'postponed', eventDate: '2020-07-12T04:00:00.000Z' },
      'Postponed',
      'Tickets go back on sale when the event has a new date.',
    ],
  ] as const)('%s', async ([, changes, sign, why]) => {
    open(eventFixture(changes));
    const tickets = await box();
    expect(tickets.getByText(sign)).toBeTruthy();
    expect(tickets.getByText(why)).toBeTruthy();
    expect(tickets.queryByRole('link')).toBeNull();
  });
  const unsold = { hasTickets: false, ticketSalesEnabled: false, ticketPrice: null, totalTickets: null };
  test('are not sold here', async () => {
    open(eventFixture(unsold));
    expect((await box()).getByText('No tickets here')).toBeTruthy();
  });
  test('are not needed', async () => {
    open(eventFixture({ ...unsold, freeEntry: true }));
    expect((await box()).getByText('Free entry, no ticket needed')).toBeTruthy();
    expect(screen.getAllByText('Free entry, no ticket needed')).toHaveLength(2);
  });
  test('shows free entry only if the organizer stated it, not because of a tag', async () => {
    open(eventFixture({ ...unsold, tags: ['#Free'] }));
    expect((await box()).getByText('No tickets here')).toBeTruthy();
    expect(screen.queryByText('Free entry, no ticket needed')).toBeNull();
  });
});

test('a sold-out event offers similar events with tickets left, and promises no refund', async () => {
  const gone = eventFixture({ soldTickets: 100 });
  open(gone, {
    'GET /api/events': [
      gone,
      eventFixture({ id: 8, soldTickets: 100 }),
      eventFixture({ id: 9, title: 'Another Roof' }),
    ],
    'GET /api/events/7/similar': [eventFixture({ id: 8, title: 'Gone, too' })],
  });
  const others = within(await screen.findByRole('region', { name: 'Tickets you can still get' }));
  expect(others.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/event/9']);
  expect(screen.queryByRole('region', { name: 'More like this' })).toBeNull();
  expect(screen.queryByText(/Full refund until/)).toBeNull();
  expect(screen.getByText(/If the event is canceled, you’re refunded in full automatically/)).toBeTruthy();
});

test('a canceled event begins with a banner', async () => {
  open(eventFixture({ status: 'canceled' }));
  const banner = await screen.findByRole('region', { name: 'This event was canceled' });
  expect(banner.textContent).toContain('All tickets are void and refunded in full');
  expect(banner.compareDocumentPosition(await title())).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('a postponed event begins with a banner and shows no date', async () => {
  open(eventFixture({ status: 'postponed' }));
  const banner = await screen.findByRole('region', { name: 'This event is postponed' });
  expect(banner.textContent).toContain('Postponed from Friday, July 12, 2030. New date to be announced.');
  expect(banner.textContent).toContain('Your tickets stay valid');
  expect(screen.getByText('Postponed, new date to be announced')).toBeTruthy();
  expect(screen.queryByText('7 PM – 11:30 PM')).toBeNull();
});

describe('a date of a series', () => {
  const date = (id: number, more = {}) =>
    eventFixture({ id, seriesId: 7, eventDate: `2030-07-${id + 10}T04:00:00.000Z`, ...more });
  test('shows the other dates of the series, five at first', async () => {
    const others = [8, 9, 10, 11, 12, 13].map((id) => date(id, id === 9 ? { soldTickets: 100 } : {}));
    open(date(7), { 'GET /api/events/7/dates': others });
    const list = within(await screen.findByRole('region', { name: 'Other dates' }));
    expect(list.getAllByRole('link')).toHaveLength(5);
    expect(list.getAllByRole('link')[0]?.getAttribute('href')).toBe('/event/8');
    expect(list.getAllByRole('link')[1]?.textContent).toContain('Sold Out');
    await userEvent.click(list.getByRole('button', { name: 'Show all 6' }));
    expect(list.getAllByRole('link')).toHaveLength(6);
  });
  test('an event without a series requests no other dates', async () => {
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
  test('shows its organizer the next steps, and marks completed steps', async () => {
    sessionStore.set(sessionFixture({ id: 3 }));
    arrive(eventFixture({ userId: 3, imageUrl: '/media/images/0af3-large.webp' }));
    const steps = within(await screen.findByRole('region', { name: 'Next steps' }));
    expect(steps.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Done: Add a photo',
      'Set up payouts',
      'Show it on your website',
      'Promote it',
    ]);
    await userEvent.click(steps.getByRole('button', { name: 'Promote it' }));
    await waitFor(() => expect(window.location.hash).toBe('#promote-7'));
    act(() => window.history.back());
  });
  test('shows no panel when it has been canceled', async () => {
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
  test('sees sales and visitors first, and canceling last', async () => {
    const counts = { likes: 0, comments: 0, interested: 0, going: 0, shares: 0, views: 1_200 };
    owned(
      { 'GET /api/tickets/sales': [{ eventId: 7, orders: 20, tickets: 42, revenue: 1_050, fee: 52.5, share: 997.5 }] },
      eventFixture({ userId: 3, counts }),
    );
    expect(await screen.findByText('42 of 100 sold · $1,050.00 · 1,200 visitors')).toBeTruthy();
    const tools = within(screen.getByRole('region', { name: 'Your event' }));
    expect(tools.getByRole('link', { name: 'Attendees' }).getAttribute('href')).toBe('/dashboard/events/7');
    expect(tools.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      ...['Share event', 'Edit', 'Promote', 'Duplicate', 'Postpone', 'Cancel event'],
    ]);
  });
  test('is the only account with tools', async () => {
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
    await isClosed();
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ title: 'Go-Go' });
  });
  test('does not undo another person’s change during editing', async () => {
    let event = eventFixture({ userId: 3 });
    const calls = owned({ 'GET /api/events/7': () => event, 'PATCH /api/events/7': event });
    await press('Edit');
    const input = await screen.findByLabelText('Event title');
    event = eventFixture({ userId: 3, location: 'Shaw, Washington, DC', totalTickets: 200 });
    await act(async () => void (await app.queries.invalidateQueries({ queryKey: ['/api/events'] })));
    await userEvent.type(input, '!');
    await press('Save');
    await isClosed();
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ title: 'Go-Go on the Roof!' });
  });
  describe('when another person has changed it in the meantime', () => {
    const mine = eventFixture({ userId: 3, version: 4 });
    /** A server that refuses changes based on an older version. */
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

    test('sees the differences, keeps the entered changes, and saves them based on the new version', async () => {
      const calls = edited({ title: 'Go-Go in the Cellar', location: 'Shaw, Washington, DC', totalTickets: 200 });
      await press('Edit');
      await userEvent.type(await screen.findByLabelText('Event title'), '!');
      await userEvent.type(screen.getByLabelText('Event description'), ' New words.');
      await press('Save');
      const told = await screen.findByRole('alert');
      expect(told.textContent).toContain('Someone else edited this event');
      expect(told.textContent).toContain('Title is now ‘Go-Go in the Cellar’. Your version is in the form.');
      expect(told.textContent).toContain('Location is now ‘Shaw, Washington, DC’. The form shows it.');
      expect(told.textContent).toContain('Total tickets is now ‘200’. The form shows it.');
      expect(screen.getByLabelText<HTMLInputElement>('Event title').value).toBe('Go-Go on the Roof!');
      expect(screen.getByLabelText<HTMLInputElement>('Total tickets').value).toBe('200');
      await press('Save');
      await isClosed();
      expect(patches(calls).map(({ headers }) => headers.get('if-match'))).toEqual(['"4"', '"6"']);
      expect(patches(calls)[1]?.body).toEqual({
        title: 'Go-Go on the Roof!',
        description: `${mine.description} New words.`,
      });
    });
    test('can accept the other person’s change instead', async () => {
      edited({ title: 'Go-Go in the Cellar' });
      await press('Edit');
      await userEvent.type(await screen.findByLabelText('Event title'), '!');
      await press('Save');
      await press('Use theirs for title');
      expect(screen.getByLabelText<HTMLInputElement>('Event title').value).toBe('Go-Go in the Cellar');
      expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    });
    test('is not asked about changes outside the form', async () => {
      const calls = edited({});
      await press('Edit');
      await userEvent.type(await screen.findByLabelText('Event title'), '!');
      await press('Save');
      await isClosed();
      expect(patches(calls)).toHaveLength(2);
    });
    test('keeps the input in the draft', async () => {
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
      // The draft is based on the previous version, so the dialog shows the change again.
      await screen.findByRole('alert');
      await press('Save');
      await isClosed();
    });
    test('repeats a request without a response with the same idempotency key', async () => {
      let tries = 0;
      const calls = owned({ 'PATCH /api/events/7': () => (tries++ === 0 ? problem(503, 'unavailable') : mine) }, mine);
      await press('Edit');
      await userEvent.type(await screen.findByLabelText('Event title'), '!');
      await press('Save');
      await screen.findByRole('alert');
      await press('Save');
      await isClosed();
      const keys = calls
        .filter(({ method }) => method === 'PATCH')
        .map(({ headers }) => headers.get('idempotency-key'));
      expect(keys[0]).toBeTruthy();
      expect(keys[1]).toBe(keys[0]);
    });
  });
  test('changes picture, tags, date and place', async () => {
    const photo = '/media/images/0af3-large.webp';
    const calls = owned({ 'PATCH /api/events/7': eventFixture() }, eventFixture({ userId: 3, imageUrl: photo }));
    await press('Edit');
    expect((await screen.findByAltText('Preview of your event photo')).getAttribute('src')).toBe(photo);
    await press('Remove photo');
    await press('#rooftop');
    await userEvent.type(screen.getByRole('textbox', { name: 'Tags' }), 'Late Night');
    await press('Add');
    expect(screen.getByText('A tag is one word, letters and numbers only, such as #LateNight.')).toBeTruthy();
    await userEvent.clear(screen.getByRole('textbox', { name: 'Tags' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Tags' }), 'LateNight');
    await press('Add');
    await userEvent.click(screen.getByLabelText('Event date'));
    await userEvent.click(screen.getByRole('button', { name: 'Saturday, July 13, 2030' }));
    await userEvent.clear(screen.getByLabelText('Event location'));
    await userEvent.type(screen.getByLabelText('Event location'), 'Shaw');
    await userEvent.click(screen.getByRole('option', { name: 'Shaw, Washington, DC' }));
    await userEvent.type(screen.getByLabelText(/^Exact address/), '12 Elm St');
    await userEvent.type(screen.getByLabelText(/^Sales end/), '2030-07-13T12:00');
    await press('Save');
    await isClosed();
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({
      imageUrl: '',
      tags: ['#liveDJ', '#LateNight'],
      eventDate: '2030-07-13T04:00:00.000Z',
      location: 'Shaw, Washington, DC',
      address: '12 Elm St',
      ticketSalesEndTime: '2030-07-13T16:00:00.000Z',
    });
  });
  test('Back closes the dialog', async () => {
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

    test('survives closing the dialog, and is compared with the event at the start of editing', async () => {
      let event = eventFixture({ userId: 3 });
      const calls = owned({ 'GET /api/events/7': () => event, 'PATCH /api/events/7': event });
      await press('Edit');
      await typed('!');
      await close();
      event = eventFixture({ userId: 3, location: 'Shaw, Washington, DC' });
      await act(async () => void (await app.queries.invalidateQueries({ queryKey: ['/api/events'] })));
      await press('Edit');
      expect(await screen.findByText('We saved your draft.')).toBeTruthy();
      expect((await titleField()).value).toBe('Go-Go on the Roof!');
      await press('Save');
      await isClosed();
      expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ title: 'Go-Go on the Roof!' });
      await press('Edit');
      await titleField();
      expect(screen.queryByText(/your draft/)).toBeNull();
    });
    test('is dropped by Start over and by Discard changes', async () => {
      owned();
      await press('Edit');
      await typed('!');
      await close();
      await press('Edit');
      await press('Start over');
      expect((await titleField()).value).toBe('Go-Go on the Roof');
      await typed('?');
      await press('Discard changes');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await press('Edit');
      expect((await titleField()).value).toBe('Go-Go on the Roof');
    });
    test('keeps a photo, or shows a note when the browser could not', async () => {
      const photo = 'data:image/png;base64,AAAA';
      const form = { before: {}, form: {} };
      const fields = { title: 'Go-Go on the Roof', description: 'd', imageUrl: '', location: 'Shaw, Washington, DC' };
      const times = {
        tags: ['#liveDJ'],
        eventDate: '2030-07-12',
        eventLastDate: '',
        eventStartTime: '19:00',
        eventEndTime: '',
      };
      const sale = { ticketPrice: '25.00', totalTickets: '100', ticketSalesStartTime: '', ticketSalesEndTime: '' };
      const whole = { ...fields, address: '', ...times, ...sale, refundDeadlineHours: '24' };
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
      expect(await screen.findByText(/too large to keep with the draft/)).toBeTruthy();
    });
  });
  test('sees a server error at its field', async () => {
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
  test('postpones the event and sets a new date later', async () => {
    const off = eventFixture({ userId: 3, status: 'postponed' });
    let event = eventFixture({ userId: 3 });
    const calls = owned({
      'GET /api/events/7': () => event,
      'POST /api/events/7/postpone': () => (event = off),
      'PATCH /api/events/7': off,
    });
    await press('Postpone');
    const dialog = await screen.findByRole('dialog', { name: 'Postpone this event?' });
    expect(dialog.textContent).toContain('42 tickets are sold: they stay valid, and we’ll email the buyers.');
    await press('Postpone event');
    expect(await screen.findByRole('region', { name: 'This event is postponed' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Postpone' })).toBeNull();
    await press('Set new date');
    expect((await screen.findByLabelText('Event date')).textContent).toContain('MM/DD/YYYY');
    await userEvent.type(screen.getByLabelText('Event title'), '!');
    await press('Save');
    await isClosed();
    // Without a new date the event stays postponed.
    expect(calls.findLast(({ method }) => method === 'PATCH')?.body).toEqual({ title: 'Go-Go on the Roof!' });
  });
  test('sees the consequences before canceling', async () => {
    const calls = owned({ 'POST /api/events/7/cancel': eventFixture({ status: 'canceled' }) });
    await press('Cancel event');
    expect((await screen.findByRole('dialog')).textContent).toContain(
      '42 tickets are sold: we’ll refund and email every buyer',
    );
    await press('Cancel event and refund everyone');
    await isClosed();
    expect(calls.some(({ path }) => path === '/api/events/7/cancel')).toBe(true);
  });
  describe('an event that is over', () => {
    const over = eventFixture({ userId: 3, eventDate: '2020-07-12T04:00:00.000Z' });
    const asAdmin = (more: Record<string, unknown>) => {
      sessionStore.set(sessionFixture({ id: 1, role: 'admin' }));
      return open(over, more);
    };
    const figures = (orders: number, refundCents: number) => ({ eventId: 7, isOver: true, orders, refundCents });

    test('cannot be canceled by its organizer', async () => {
      owned({}, over);
      expect(await screen.findByRole('button', { name: 'Edit' })).toBeTruthy();
      expect(screen.queryByRole('button', { name: 'Cancel event' })).toBeNull();
    });
    test('can be canceled by an admin after seeing the refund total', async () => {
      const calls = asAdmin({
        'GET /api/events/7/cancellation': figures(3, 7_500),
        'POST /api/events/7/cancel': eventFixture({ status: 'canceled' }),
      });
      await press('Cancel event');
      expect(await screen.findByText(/We’ll refund 3 orders, \$75\.00 in total/)).toBeTruthy();
      await press('Cancel event and refund $75.00');
      await isClosed();
      expect(calls.find(({ path, method }) => method === 'POST' && path === '/api/events/7/cancel')?.body).toEqual({
        confirm: { orders: 3, refundCents: 7_500 },
      });
    });
    test('is not canceled with outdated figures: the page shows the new figures first', async () => {
      let asked = 0;
      let sent = 0;
      const calls = asAdmin({
        'GET /api/events/7/cancellation': () => (asked++ === 0 ? figures(3, 7_500) : figures(2, 5_000)),
        'POST /api/events/7/cancel': () =>
          sent++ === 0 ? problem(409, 'confirm-refunds') : eventFixture({ status: 'canceled' }),
      });
      await press('Cancel event');
      await press('Cancel event and refund $75.00');
      expect(await screen.findByText(/We’ll refund 2 orders, \$50\.00 in total/)).toBeTruthy();
      await press('Cancel event and refund $50.00');
      await isClosed();
      expect(calls.findLast(({ method }) => method === 'POST')?.body).toEqual({
        confirm: { orders: 2, refundCents: 5_000 },
      });
    });
    test('cannot be canceled while the figures are unknown', async () => {
      asAdmin({ 'GET /api/events/7/cancellation': () => problem(503, 'unavailable') });
      await press('Cancel event');
      expect(await screen.findByRole('alert')).toBeTruthy();
      expect(screen.getByRole('button', { name: /^Cancel event and refund/ })).toHaveProperty('disabled', true);
    });
  });
  test('duplicates an event, including a canceled one', async () => {
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
  test('sees a link to the studio of the live stream', async () => {
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

describe('the talk', () => {
  const tab = (name: RegExp) => screen.findByRole('tab', { name });
  const more = {
    'GET /api/events/7/comments': { items: [], nextCursor: null, total: 0, closed: null },
    'GET /api/message-board': { items: [], nextCursor: null },
  };
  test('is one panel of comments, questions and chat, and loads only the visible part', async () => {
    const calls = open(
      eventFixture({ counts: { likes: 0, comments: 12, interested: 0, going: 0, shares: 0, views: 0 } }),
      more,
    );
    expect((await tab(/^Comments/)).textContent).toBe('Comments12');
    expect((await tab(/^Comments/)).getAttribute('aria-selected')).toBe('true');
    expect(calls.some(({ path }) => path.startsWith('/api/message-board'))).toBe(false);
    await userEvent.click(await tab(/^Questions/));
    expect(await screen.findByText('No questions yet')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Sign in to ask' }).getAttribute('href')).toBe(
      '/auth?next=%2Fevent%2F7%23ask',
    );
    expect(calls.find(({ path }) => path.startsWith('/api/message-board'))?.path).toContain('eventId=7');
    expect(await tab(/^Chat/)).toBeTruthy();
  });
  test('a link to the comments shows them again', async () => {
    open(eventFixture(), more);
    await userEvent.click(await tab(/^Questions/));
    act(() => app.navigate('/event/7#comments'));
    expect((await tab(/^Comments/)).getAttribute('aria-selected')).toBe('true');
  });
  test('the chat of a live stream is beside the stream', async () => {
    open(eventFixture({ isLivestream: true, livestreamStatus: 'live' }), more);
    await tab(/^Comments/);
    expect(screen.queryByRole('tab', { name: 'Chat' })).toBeNull();
  });
});

describe('getting there', () => {
  const place = { id: '930-club-dc-venue', name: '9:30 Club', lat: 38.918, lon: -77.0237, state: 'DC' } as const;
  test('shows the nearest station with its lines, and when to leave from a chosen station', async () => {
    // Without IntersectionObserver, the map counts as visible.
    vi.stubGlobal('IntersectionObserver', undefined);
    open(eventFixture({ place, address: '815 V St NW' }));
    const way = within(await screen.findByRole('region', { name: 'Getting there' }));
    expect(way.getByText('8 minutes on foot from U Street Metro')).toBeTruthy();
    expect(way.getByText('Green')).toBeTruthy();
    expect(way.getByRole('link', { name: /^Directions/ }).getAttribute('href')).toContain('815+V+St+NW%2C+U+Street');
    await userEvent.type(way.getByLabelText(/^When should you leave/), 'Bethesda');
    await userEvent.click(way.getByRole('option', { name: 'Bethesda Metro, MD' }));
    expect(await way.findByText(/^Leave by \d+:\d\d PM$/)).toBeTruthy();
    expect(way.getByText(/by Metro: Red Line from Bethesda/)).toBeTruthy();
  });
  test.for([{ place: null }, { place: { ...place, isApproximate: true } }])(
    'needs a precise position (%o)',
    async (more) => {
      open(eventFixture(more));
      await title();
      expect(screen.queryByRole('region', { name: 'Getting there' })).toBeNull();
    },
  );
});

describe('the whole page', () => {
  const organizer = { id: 3, name: 'Roof Collective', followers: 1 };
  test('shows organizer, directions, refund rule and similar events', async () => {
    open(eventFixture({ organizerName: 'Roof Collective' }), {
      'GET /api/organizers/3': organizer,
      'GET /api/events/7/similar': [eventFixture({ id: 8, title: 'Another Roof' })],
    });
    const box = within(await screen.findByRole('region', { name: 'Hosted by' }));
    expect(box.getByRole('link', { name: 'Roof Collective' }).getAttribute('href')).toBe('/organizer/3');
    expect(await box.findByText('1 follower')).toBeTruthy();
    const directions = screen.getByRole('link', { name: /^Directions/ });
    expect(directions.getAttribute('href')).toBe(
      'https://www.google.com/maps/dir/?api=1&destination=U+Street%2C+Washington%2C+DC',
    );
    expect(directions.getAttribute('rel')).toContain('noopener');
    expect(screen.getByText(/If the event is canceled, you’re refunded/)).toBeTruthy();
    const similar = within(await screen.findByRole('region', { name: 'More like this' }));
    expect(similar.getByRole('link', { name: /Another Roof/ }).getAttribute('href')).toBe('/event/8');
  });

  test('shows the number of followers even if the reader follows before it has loaded', async () => {
    sessionStore.set(sessionFixture());
    let followers = 0;
    const asked: number[] = [];
    open(eventFixture({ userId: 9, organizerName: 'Roof Collective' }), {
      'GET /api/me/following': { organizers: [], upcoming: [] },
      // The first request does not end before the reader follows.
      'GET /api/organizers/9': () =>
        asked.push(followers) === 1 ? new Promise(() => undefined) : { ...organizer, followers },
      'PUT /api/organizers/9/follow': () => ({ following: true, followers: ++followers }),
    });
    const box = within(await screen.findByRole('region', { name: 'Hosted by' }));
    const follow = await box.findByRole<HTMLButtonElement>('button', { name: 'Follow Roof Collective' });
    await waitFor(() => expect(follow.disabled).toBe(false));
    await userEvent.click(follow);
    expect(await box.findByText('1 follower')).toBeTruthy();
    expect(asked).toEqual([0, 1]);
  });

  test('omits refunds where nothing is sold, and empty lists', async () => {
    open(eventFixture({ hasTickets: false }), { 'GET /api/events/7/similar': [] });
    await title();
    expect(screen.queryByRole('region', { name: 'Refunds' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'More like this' })).toBeNull();
  });

  test('a place that looks like a URL is only used as a search term', async () => {
    open(eventFixture({ location: 'javascript:alert(1)&destination=x' }));
    await title();
    expect(screen.getByRole('link', { name: /^Directions/ }).getAttribute('href')).toBe(
      'https://www.google.com/maps/dir/?api=1&destination=javascript%3Aalert%281%29%26destination%3Dx',
    );
  });
});

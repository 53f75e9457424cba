import type { Event } from '@beltway/contracts/catalog/events';
import type { EventCounts, MyEngagement } from '@beltway/contracts/identity/engagement';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventQuery } from '../../../lib/events/event-queries.ts';
import { sessionStore } from '../../../lib/storage/session-store.ts';
import { fakeApi, problem, type FakeCall } from '../../../testing/fake-api.ts';
import { fakeEvents } from '../../../testing/fake-events.ts';
import { eventFixture, sessionFixture } from '../../../testing/fixtures.ts';
import { renderAt } from '../../../testing/render.tsx';
import { EventCard } from '../event-card.tsx';

vi.mock('socket.io-client', () => ({ io: () => ({ on: vi.fn(), off: vi.fn(), emit: vi.fn(), connected: false }) }));
const user = userEvent.setup({ delay: null });
beforeEach(() => sessionStore.set(sessionFixture()));
afterEach(async () => {
  // Lets the cards' batched requests finish before the next test observes requests.
  await new Promise((resolve) => setTimeout(resolve, 30));
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const COUNTS: EventCounts = { likes: 4, comments: 2, interested: 3, going: 1, shares: 0, views: 0 };
const event = (changes: Partial<Event> = {}) => eventFixture({ counts: COUNTS, ...changes });
const mineIs = (...items: Array<Partial<MyEngagement>>) => ({
  items: items.map((item) => ({ eventId: 7, liked: false, bookmarked: false, interest: null, ...item })),
});

/** Cards as in a list: they appear together and update with their queries. */
function Cards({ ids }: { ids: number[] }) {
  const events = useQueries({ queries: ids.map(eventQuery) }).map(({ data }) => data);
  return events.every((one) => one !== undefined) && events.map((one) => <EventCard key={one.id} event={one} />);
}

/** Ends the session in the commit in which the cards before it appear. */
function EndOfSession() {
  useEffect(() => sessionStore.clear(), []);
  return null;
}

const button = (name: RegExp) => screen.findByRole('button', { name });
const like = () => button(/^Like /);
const save = () => button(/^Save /);
const isPressed = async (found: Promise<HTMLElement>) => (await found).getAttribute('aria-pressed') === 'true';
const writes = (calls: FakeCall[]) =>
  calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
/** The account's reactions after the page's writes. */
const mineAfter = (calls: FakeCall[]) => {
  const has = (what: string) =>
    writes(calls)
      .findLast((write) => write.endsWith(what))
      ?.startsWith('PUT') ?? false;
  return mineIs({ liked: has('/like'), bookmarked: has('/bookmark') });
};

describe('the controls of a card', () => {
  test('have a fixed order, and counts with accessible names', async () => {
    fakeApi({ 'GET /api/events/7': event({ counts: { ...COUNTS, likes: 12_500, comments: 1 } }) });
    renderAt('/', <Cards ids={[7]} />);
    await like();
    const names = within(screen.getByRole('article'))
      .getAllByRole('button')
      .concat(screen.getByRole('link', { name: /^Comment / }))
      .map((control) => control.textContent || control.getAttribute('aria-label'));
    expect(names).toEqual([
      'Save Go-Go on the Roof',
      'Share Go-Go on the Roof',
      'Like Go-Go on the Roof12.5K, 12,500 likes',
      'Comment on Go-Go on the Roof1, 1 comment',
    ]);
    const [primary] = within(screen.getByRole('article')).getAllByRole('link', { name: /Buy Tickets/ });
    expect(primary!.compareDocumentPosition(await save())).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(screen.getByRole('link', { name: /^Comment / }).getAttribute('href')).toBe('/event/7#comments');
  });

  test("load the account's own reactions in one request for all cards of a page", async () => {
    const calls = fakeApi({
      'GET /api/events/7': event(),
      'GET /api/events/8': event({ id: 8, title: 'Jazz' }),
      'GET /api/me/engagement': mineIs({ liked: true }, { eventId: 8, bookmarked: true }),
    });
    renderAt('/', <Cards ids={[7, 8]} />);
    await waitFor(async () => expect(await isPressed(button(/^Like Go-Go/))).toBe(true));
    expect(await isPressed(button(/^Save Go-Go/))).toBe(false);
    expect(await isPressed(button(/^Save Jazz/))).toBe(true);
    expect(calls.filter(({ path }) => path.startsWith('/api/me'))).toHaveLength(1);
  });

  test('do not request reactions, nor lead to /auth, when the session ends as they appear', async () => {
    const calls = fakeApi({ 'GET /api/me/engagement': () => problem(401, 'unauthorized') });
    renderAt(
      '/',
      <>
        <EventCard event={event()} />
        <EndOfSession />
      </>,
    );
    await like();
    // Longer than cards wait for each other's lookups.
    await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(calls).toEqual([]);
    expect(screen.getByTestId('address').textContent).toBe('/');
  });

  test('show a press immediately, then the server’s count', async () => {
    let answer: (counts: EventCounts) => void = () => undefined;
    const calls: FakeCall[] = fakeApi({
      'GET /api/events/7': event(),
      'GET /api/me/engagement': () => mineAfter(calls),
      'PUT /api/events/7/like': () => new Promise((resolve) => (answer = resolve)),
    });
    renderAt('/', <Cards ids={[7]} />);
    await user.click(await like());
    expect(await isPressed(like())).toBe(true);
    expect((await like()).textContent).toContain('5 likes');
    await waitFor(() => expect(writes(calls)).toEqual(['PUT /api/events/7/like']));
    answer({ ...COUNTS, likes: 9 });
    await waitFor(async () => expect((await like()).textContent).toContain('9 likes'));
    expect(await isPressed(like())).toBe(true);
  });

  test('show the account’s other reactions even if one is pressed before they are loaded', async () => {
    const own = Promise.withResolvers<unknown>();
    const counts = Promise.withResolvers<unknown>();
    let asked = 0;
    fakeApi({
      'GET /api/events/7': event(),
      'GET /api/me/engagement': () => (asked++ === 0 ? own.promise : mineIs({ liked: true, bookmarked: true })),
      'PUT /api/events/7/like': () => counts.promise,
    });
    renderAt('/', <Cards ids={[7]} />);
    await like();
    await waitFor(() => expect(asked).toBe(1));
    await user.click(await like());
    await act(async () => own.resolve(mineIs({ bookmarked: true })));
    expect(await isPressed(like())).toBe(true);
    await act(async () => counts.resolve({ ...COUNTS, likes: 5 }));
    await waitFor(async () => expect(await isPressed(save())).toBe(true));
    expect(await isPressed(like())).toBe(true);
  });

  test('keep the server’s count when an older answer arrives later', async () => {
    const late: Array<(answer: unknown) => void> = [];
    let asked = 0;
    fakeApi({
      'GET /api/events/7': () => (asked++ === 0 ? event() : new Promise((resolve) => late.push(resolve))),
      'GET /api/me/engagement': mineIs(),
      'PUT /api/events/7/like': { ...COUNTS, likes: 5 },
    });
    const Again = () => {
      const queries = useQueryClient();
      return (
        <button onClick={() => void queries.invalidateQueries({ queryKey: eventQuery(7).queryKey })}>Again</button>
      );
    };
    renderAt(
      '/',
      <>
        <Cards ids={[7]} />
        <Again />
      </>,
    );
    await like();
    await user.click(screen.getByRole('button', { name: 'Again' }));
    await waitFor(() => expect(late).toHaveLength(1));
    await user.click(await like());
    await waitFor(async () => expect((await like()).textContent).toContain('5 likes'));
    await act(async () => {
      late[0]!({ ...event(), title: 'Go-Go on the Lawn' });
      await screen.findByText('Go-Go on the Lawn');
    });
    expect((await like()).textContent).toContain('5 likes');
  });

  test('undo a reaction that the server refuses, and show the reason', async () => {
    fakeApi({
      'GET /api/events/7': event(),
      'GET /api/me/engagement': mineIs(),
      'PUT /api/events/7/like': () => problem(409, 'event-canceled', { detail: 'This event was canceled.' }),
    });
    renderAt('/', <Cards ids={[7]} />);
    await user.click(await like());
    expect(await screen.findByText('This event was canceled.')).toBeTruthy();
    expect(await isPressed(like())).toBe(false);
    expect((await like()).textContent).toContain('4 likes');
  });

  test('send quick presses one after another; the last press wins, even if an earlier press fails', async () => {
    const answers: Array<(answer: unknown) => void> = [];
    const later = () => new Promise((resolve) => answers.push(resolve));
    const calls: FakeCall[] = fakeApi({
      'GET /api/events/7': event(),
      'GET /api/me/engagement': () => mineAfter(calls),
      'PUT /api/events/7/bookmark': later,
      'DELETE /api/events/7/bookmark': later,
    });
    renderAt('/', <Cards ids={[7]} />);
    for (let press = 0; press < 3; press++) await user.click(await save());
    await waitFor(() => expect(answers).toHaveLength(1));
    expect(writes(calls)).toEqual(['PUT /api/events/7/bookmark']);
    act(() => answers[0]!(problem(503, 'unavailable')));
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(await isPressed(save())).toBe(true);
    act(() => answers[1]!(COUNTS));
    await waitFor(() => expect(answers).toHaveLength(3));
    act(() => answers[2]!(COUNTS));
    await waitFor(() => expect(writes(calls)).toHaveLength(3));
    expect(writes(calls).map((call) => call.split(' ')[0])).toEqual(['PUT', 'DELETE', 'PUT']);
    expect(await isPressed(save())).toBe(true);
  });

  test('can remove reactions to a canceled event, but not add them', async () => {
    fakeApi({ 'GET /api/events/7': event({ status: 'canceled' }), 'GET /api/me/engagement': mineIs({ liked: true }) });
    renderAt('/', <Cards ids={[7]} />);
    await waitFor(async () => expect(await isPressed(like())).toBe(true));
    expect((await like()).hasAttribute('disabled')).toBe(false);
    expect((await save()).hasAttribute('disabled')).toBe(true);
  });

  test('count a share that succeeded, but not a share that failed', async () => {
    vi.stubGlobal('open', vi.fn());
    const calls = fakeApi({ 'GET /api/events/7': event(), 'POST /api/events/7/share': { ...COUNTS, shares: 1 } });
    renderAt('/', <Cards ids={[7]} />);
    const share = async (how: string) => {
      await user.click(await button(/^Share /));
      await user.click(await screen.findByRole('menuitem', { name: how }));
    };
    Object.defineProperty(document, 'execCommand', { value: () => false, configurable: true });
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
    await share('Copy Link');
    expect(await screen.findByText('Couldn’t copy')).toBeTruthy();
    expect(writes(calls)).toEqual([]);
    await share('Share on Facebook');
    await waitFor(() => expect(writes(calls)).toEqual(['POST /api/events/7/share']));
  });
});

const around = {
  'GET /api/events': [],
  'GET /api/events/featured': [],
  'GET /api/events/7': event(),
  'POST /api/auth/login': sessionFixture(),
};
async function signIn() {
  await user.type(await screen.findByLabelText('Email'), 'ann@example.com');
  await user.type(screen.getByLabelText('Password'), 'secret1');
  await user.click(within(screen.getByRole('form', { name: 'Sign in' })).getByRole('button', { name: 'Sign in' }));
}
const address = () => screen.getByTestId('address').textContent;

describe('a signed-out visitor', () => {
  beforeEach(() => sessionStore.clear());

  test('signs in and returns, and the reaction is added', async () => {
    const calls: FakeCall[] = fakeApi({
      ...around,
      'GET /api/me/engagement': () => mineAfter(calls),
      'PUT /api/events/7/bookmark': COUNTS,
    });
    renderAt('/event/7?from=mail');
    await user.click(await button(/^Save/));
    expect(await screen.findByText('Sign in to save this event.')).toBeTruthy();
    expect(writes(calls)).toEqual([]);
    await signIn();
    expect(await isPressed(button(/^Saved/))).toBe(true);
    expect(address()).toBe('/event/7?from=mail');
    expect(writes(calls)).toEqual(['POST /api/auth/login', 'PUT /api/events/7/bookmark']);
    expect(window.history.state).not.toHaveProperty('usr.intent');
  });

  test('who abandons signing in adds no reaction, even after signing in later', async () => {
    const calls = fakeApi({ ...around, 'GET /api/me/engagement': mineIs() });
    const { navigate } = renderAt('/event/7');
    await user.click(await button(/^Like/));
    await screen.findByText('Sign in to like this event.');
    act(() => window.history.back());
    await waitFor(() => expect(address()).toBe('/event/7'));
    act(() => navigate('/auth?next=%2Fevent%2F7'));
    await signIn();
    await waitFor(() => expect(address()).toBe('/event/7'));
    await button(/^Like/);
    expect(writes(calls)).toEqual(['POST /api/auth/login']);
  });

  test('sends no request for own reactions', async () => {
    const calls = fakeApi({ 'GET /api/events/7': event() });
    renderAt('/', <Cards ids={[7]} />);
    expect(await isPressed(like())).toBe(false);
    expect(calls.map(({ path }) => path)).toEqual(['/api/events/7']);
  });
});

test('signing out hides the account’s reactions, and another account never sees them', async () => {
  fakeApi({
    'GET /api/events/7': event(),
    'GET /api/me/engagement': () => mineIs({ liked: sessionStore.get().user?.id === 3 }),
  });
  renderAt('/', <Cards ids={[7]} />);
  await waitFor(async () => expect(await isPressed(like())).toBe(true));
  act(() => sessionStore.clear());
  expect(await isPressed(like())).toBe(false);
  act(() => sessionStore.set(sessionFixture({ id: 4 })));
  expect(await isPressed(like())).toBe(false);
});

describe('the event’s page', () => {
  const panel = async () => within(await screen.findByRole('region', { name: 'Who’s interested' }));
  const choice = async (name: string) => (await panel()).getByRole('button', { name: new RegExp(`^${name}`) });

  test('counts interested, going and shares; a visitor chooses interested, going, or neither', async () => {
    const calls = fakeApi({
      ...around,
      'GET /api/me/engagement': mineIs({ interest: 'interested' }),
      'PUT /api/events/7/interest': { ...COUNTS, interested: 2, going: 2 },
      'DELETE /api/events/7/interest': { ...COUNTS, interested: 2 },
    });
    renderAt('/event/7');
    const [going, interested] = [() => choice('Going'), () => choice('Interested')];
    const numbers = async () => [(await interested()).textContent, (await going()).textContent];
    expect(await numbers()).toEqual(['Interested3, 3 people', 'Going1, 1 person']);
    // Without shares, no count of shares is shown.
    expect((await panel()).queryByText(/share/)).toBeNull();
    await waitFor(async () => expect(await isPressed(interested())).toBe(true));
    await user.click(await going());
    expect([await isPressed(interested()), await isPressed(going())]).toEqual([false, true]);
    expect(await numbers()).toEqual(['Interested2, 2 people', 'Going2, 2 people']);
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ interest: 'going' });
    await user.click(await going());
    expect([await isPressed(going()), (await going()).textContent]).toEqual([false, 'Going1, 1 person']);
    await waitFor(() => expect(writes(calls).at(-1)).toBe('DELETE /api/events/7/interest'));
  });

  test('does not ask about going to an event that is over', async () => {
    fakeApi({ ...around, 'GET /api/events/7': event({ eventDate: '2020-01-01T05:00:00.000Z' }) });
    renderAt('/event/7');
    expect((await panel()).queryByRole('button', { name: /Going|Interested/ })).toBeNull();
    expect((await panel()).getByText('1 going')).toBeTruthy();
  });

  test('reports one view; a list reports no view', async () => {
    const told = vi.spyOn(navigator, 'sendBeacon');
    fakeApi({ ...around, 'GET /api/events': fakeEvents([event()]) });
    const { navigate } = renderAt('/');
    await like();
    expect(told).not.toHaveBeenCalled();
    act(() => navigate('/event/7'));
    await panel();
    expect(told.mock.calls).toEqual([['/api/events/7/view']]);
  });

  test('in a hidden tab reports its view only once the tab is visible', async () => {
    const told = vi.spyOn(navigator, 'sendBeacon');
    const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    fakeApi(around);
    renderAt('/event/7');
    await panel();
    expect(told).not.toHaveBeenCalled();
    state.mockReturnValue('visible');
    act(() => void document.dispatchEvent(new window.Event('visibilitychange')));
    act(() => void document.dispatchEvent(new window.Event('visibilitychange')));
    expect(told).toHaveBeenCalledTimes(1);
  });
});

describe('Saved', () => {
  const open = (upcoming: unknown, past: unknown) => {
    fakeApi({
      'GET /api/me/bookmarks?part=upcoming': upcoming,
      'GET /api/me/bookmarks?part=past': past,
      'GET /api/me/bookmarks?part=upcoming&cursor=5-8': { items: [event({ id: 9, title: 'Third' })], nextCursor: null },
      'GET /api/me/engagement': mineIs({ bookmarked: true }),
      'DELETE /api/events/7/bookmark': COUNTS,
    });
    return renderAt('/saved');
  };
  const none = { items: [], nextCursor: null };

  test('shows upcoming events, past events below, and more events on request', async () => {
    open(
      { items: [event(), event({ id: 8, title: 'Second' })], nextCursor: '5-8' },
      { items: [event({ id: 5, title: 'Long ago' })], nextCursor: null },
    );
    const upcoming = within(await screen.findByRole('region', { name: 'Upcoming' }));
    const past = within(screen.getByRole('region', { name: 'Past' }));
    expect(past.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(['Long ago']);
    await user.click(upcoming.getByRole('button', { name: 'Load More Events' }));
    await upcoming.findByRole('heading', { name: 'Third' });
    expect(upcoming.getAllByRole('article')).toHaveLength(3);
    expect(upcoming.queryByRole('button', { name: 'Load More Events' })).toBeNull();
  });

  test('keeps a card on screen after its bookmark is removed', async () => {
    open({ items: [event()], nextCursor: null }, none);
    await waitFor(async () => expect(await isPressed(save())).toBe(true));
    await user.click(await save());
    expect(await isPressed(save())).toBe(false);
    expect(screen.getByRole('heading', { name: 'Go-Go on the Roof' })).toBeTruthy();
  });

  test('shows what to do when empty', async () => {
    open(none, none);
    expect(await screen.findByRole('heading', { name: 'Nothing saved yet' })).toBeTruthy();
  });

  test('can be retried when it cannot be loaded', async () => {
    let asked = 0;
    open(() => (asked++ === 0 ? problem(503, 'unavailable', { detail: 'Back in a moment.' }) : none), none);
    expect(await screen.findByText('Back in a moment.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('heading', { name: 'Nothing saved yet' })).toBeTruthy();
  });

  test('requires a signed-in account', async () => {
    sessionStore.clear();
    fakeApi({});
    renderAt('/saved');
    expect(await screen.findByText('Sign in to see the events you saved.')).toBeTruthy();
    expect(address()).toBe('/auth?next=%2Fsaved');
  });
});

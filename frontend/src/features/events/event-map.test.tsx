import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { MapError, type MapListeners, type MapMarker, type OpenMap } from '../../lib/map/surface.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { fakeEvents } from '../../testing/fake-events.ts';
import { eventFixture } from '../../testing/fixtures.ts';
import { configFixture } from '../../testing/payments.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));
const maps = vi.hoisted(() => ({ leaflet: vi.fn(), google: vi.fn() }));
vi.mock('../../lib/map/leaflet-map.ts', () => ({ openLeafletMap: maps.leaflet }));
vi.mock('../../lib/map/google-map.ts', () => ({ openGoogleMap: maps.google }));

const uStreet = { id: 'u-street-dc', name: 'U Street', lat: 38.917, lon: -77.03, state: 'DC' as const };
const bethesda = { id: 'bethesda-md', name: 'Bethesda', lat: 38.9843, lon: -77.0944, state: 'MD' as const };
const description = `${'x'.repeat(99)}🎷the rest`;
const jazz = eventFixture({ id: 1, title: 'Jazz Night', place: uStreet, description });
const club = eventFixture({ id: 2, title: 'Club Night', place: uStreet });
const market = eventFixture({ id: 3, title: 'Market', place: bethesda });
const lost = eventFixture({ id: 4, title: 'Somewhere', place: null, location: 'At Jo’s' });

/** A map that draws nothing and records its calls. */
function fakeMap() {
  const told = {
    listeners: undefined as MapListeners | undefined,
    start: undefined as unknown,
    markers: [] as readonly MapMarker[],
    popup: undefined as HTMLElement | undefined,
    goTo: vi.fn(),
    resize: vi.fn(),
    here: vi.fn(),
  };
  const openMap: OpenMap = async (_element, start, listeners) => {
    told.listeners = listeners;
    told.start = start;
    listeners.onView({ west: -78, south: 38, east: -76, north: 40, zoom: 11 });
    return {
      showMarkers: (markers) => void (told.markers = markers),
      goTo: told.goTo,
      zoomBy: () => undefined,
      openPopup: (_at, content) => {
        told.popup = content;
        document.body.append(content);
      },
      closePopup: () => told.popup?.remove(),
      showHere: told.here,
      resize: told.resize,
      destroy: () => told.popup?.remove(),
    };
  };
  maps.leaflet.mockImplementation(openMap);
  maps.google.mockReturnValue(openMap);
  return told;
}

const config = (googleMapsKey: string | null) => configFixture({ googleMapsKey });
function show(events = [jazz, club, market, lost], { key = null as string | null, at = '/?view=map' } = {}) {
  const calls = fakeApi({
    'GET /api/events': fakeEvents(events),
    'GET /api/events/featured': [],
    'GET /api/config': config(key),
  });
  renderAt(at);
  /** The bounds that the page requested. */
  return () => calls.flatMap(({ path }) => new URL(path, 'http://beltway.test').searchParams.get('within') ?? []);
}
const list = async () => within(await screen.findByRole('list', { name: 'Events on the map' }));

let told: ReturnType<typeof fakeMap>;
beforeEach(() => {
  maps.leaflet.mockReset();
  maps.google.mockReset();
  told = fakeMap();
});

describe('the map', () => {
  test('begins in Washington at zoom 11, with one marker for two events at one place', async () => {
    show();
    await waitFor(() => expect(told.markers).toHaveLength(2));
    expect(told.start).toEqual({ center: { lat: 38.9072, lon: -77.0369 }, zoom: 11 });
    expect(told.markers.map(({ label }) => label).sort()).toEqual(['2 events', 'Market']);
    expect(maps.google).not.toHaveBeenCalled();
  });
  test('lists events without a position, and applies the filter', async () => {
    show();
    const apart = within(await screen.findByRole('region', { name: 'Not on the map' }));
    expect(apart.getByRole('link').getAttribute('href')).toBe('/event/4');
    expect((await list()).getAllByRole('button')).toHaveLength(3);
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search events' }), 'market');
    await waitFor(() => expect(told.markers.map(({ label }) => label)).toEqual(['Market']));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Not on the map' })).toBeNull());
  });
  test('has no marker for an event whose place is only Washington', async () => {
    const place = { id: 'washington-dc', name: 'Washington', lat: 38.9072, lon: -77.0369, state: 'DC' as const };
    show([market, eventFixture({ id: 5, title: 'Somewhere in it', place: { ...place, isApproximate: true } })]);
    const apart = within(await screen.findByRole('region', { name: 'Not on the map' }));
    expect(apart.getByRole('link').getAttribute('href')).toBe('/event/5');
    expect(told.markers.map(({ label }) => label)).toEqual(['Market']);
  });
  test('shows the events in view, and loads more events when the map moves', async () => {
    const calls = show();
    await waitFor(() => expect(told.markers).toHaveLength(2));
    await waitFor(() => expect(calls()).toContain('-78.00,38.00,-76.00,40.00'));
    act(() => told.listeners!.onView({ west: -77.2, south: 38.951, east: -77, north: 39.1, zoom: 13 }));
    await waitFor(() => expect(told.markers.map(({ label }) => label)).toEqual(['Market']));
    await waitFor(() => expect(calls().at(-1)).toBe('-77.20,38.95,-77.00,39.10'));
    expect(await screen.findByText('1 event in this part of the map')).toBeTruthy();
    act(() => told.listeners!.onView({ west: -76.5, south: 38, east: -76, north: 38.5, zoom: 13 }));
    expect(await screen.findByText('None of these events is in this part of the map.')).toBeTruthy();
  });
  test('loads page after page, and shows that there are more events', async () => {
    const many = Array.from({ length: 460 }, (_, at) =>
      eventFixture({ id: at + 1, title: `Event ${at}`, place: uStreet }),
    );
    show(many);
    // Searches by text, because searching hundreds of rows by role takes seconds.
    expect(await screen.findByText(/^The first 300 events in this part of the map/)).toBeTruthy();
    await userEvent.click(screen.getByText('Load More Events'));
    expect(await screen.findByText(/^The first 400 events/)).toBeTruthy();
    await userEvent.click(screen.getByText('Load More Events'));
    expect(await screen.findByText('460 events in this part of the map')).toBeTruthy();
    expect(screen.queryByText('Load More Events')).toBeNull();
  });
  test('selecting from the list zooms to 14 and opens a popup with 100 characters and the link', async () => {
    show();
    await userEvent.click((await list()).getByRole('button', { name: /Jazz Night/ }));
    expect(told.goTo).toHaveBeenLastCalledWith(expect.objectContaining({ lat: uStreet.lat, lon: uStreet.lon }), 14);
    const text = await screen.findByTestId('popup-description');
    expect(text.textContent).toBe(`${'x'.repeat(99)}🎷…`);
    expect(within(told.popup!).getByRole('link', { name: 'See the event' }).getAttribute('href')).toBe('/event/1');
    expect((await list()).getByRole('button', { pressed: true }).textContent).toContain('Jazz Night');
    expect(told.markers.find(({ selected }) => selected)?.label).toBe('2 events');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByTestId('popup-description')).toBeNull());
  });
  test('opens a list for a place with several events, because no zoom separates them', async () => {
    show();
    await waitFor(() => expect(told.markers).toHaveLength(2));
    told.listeners!.onMarker(told.markers.find(({ count }) => count === 2)!.key);
    expect(await screen.findByRole('heading', { name: '2 events here' })).toBeTruthy();
    const links = within(told.popup!).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/event/1', '/event/2']);
  });
  test('shows titles and descriptions as text', async () => {
    show([eventFixture({ id: 1, title: '<img src=x onerror=alert(1)>', description: '<b>bold</b>', place: uStreet })]);
    await userEvent.click((await list()).getByRole('button'));
    expect((await screen.findByTestId('popup-description')).innerHTML).toBe('&lt;b&gt;bold&lt;/b&gt;');
  });
  test('fills the screen, and leaves full screen by its button or the back button', async () => {
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Expand the map' }));
    expect(await screen.findByRole('dialog', { name: 'Map of events' })).toBeTruthy();
    await waitFor(() => expect(told.resize).toHaveBeenLastCalledWith(true));
    window.history.back();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Expand the map' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Collapse the map' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(told.resize).toHaveBeenLastCalledWith(false));
  });
  test('a refused permission for the position is reported', async () => {
    const getCurrentPosition = (_found: unknown, failed: (error: object) => void) =>
      failed({ code: 1, PERMISSION_DENIED: 1 });
    vi.spyOn(navigator, 'geolocation', 'get').mockReturnValue({ getCurrentPosition } as unknown as Geolocation);
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Show my location' }));
    expect(await screen.findByText(/Location is blocked/)).toBeTruthy();
    expect(told.here).not.toHaveBeenCalled();
  });
  test('uses Google Maps if a key is set; if the map fails, the list stays, and Retry reloads the page', async () => {
    maps.google.mockReturnValue(() => Promise.reject(new MapError('unreachable')));
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
    show([jazz], { key: 'key-1' });
    await screen.findByText('Google Maps failed to load. Please check your internet connection.');
    expect(maps.google).toHaveBeenCalledWith('key-1');
    expect(maps.leaflet).not.toHaveBeenCalled();
    expect((await list()).getByRole('button', { name: /Jazz Night/ })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(reload).toHaveBeenCalledOnce();
  });
  test('a map that breaks for another reason shows an error', async () => {
    maps.leaflet.mockImplementation(() => Promise.reject(new Error('no')));
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    show();
    expect(await screen.findByText('Error loading map. Please try again later.')).toBeTruthy();
  });
});

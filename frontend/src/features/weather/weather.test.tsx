import type { Weather } from '@beltway/contracts/media/weather';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { eventFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';
import { DayForecast } from './day-forecast.tsx';
import { WeatherCard } from './weather-card.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));

const weather = (changes: Partial<Weather> = {}): Weather => ({
  location: 'Washington, DC',
  current: { temp: 59, condition: 'Mostly Cloudy', humidity: 52, windSpeed: 10, visibility: null, feelsLike: 57 },
  forecast: ['2030-07-11', '2030-07-12', '2030-07-13', '2030-07-14', '2030-07-15'].map((date, at) => ({
    date,
    day: ['Thu', 'Fri', 'Sat', 'Sun', 'Mon'][at]!,
    high: at === 0 ? null : 60 + at,
    low: 40 + at,
    condition: 'Sunny',
    precipitation: 10 * at,
  })),
  source: 'observation',
  ...changes,
});
const place = { id: 'u-street-dc', name: 'U Street', lat: 38.917, lon: -77.03, state: 'DC' as const };
afterEach(() => void vi.useRealTimers());

test('the card shows the weather now and five days, and leaves out unknown values', async () => {
  fakeApi({ 'GET /api/weather': weather() });
  renderAt('/', <WeatherCard />);
  const card = within(await screen.findByRole('region', { name: 'Weather in Washington, DC' }));
  expect(card.getByText('Feels like 57° · Humidity 52% · Wind 10 mph')).toBeTruthy();
  const days = within(card.getByRole('list', { name: 'Forecast' })).getAllByRole('listitem');
  expect(days.map(({ textContent }) => textContent)).toHaveLength(5);
  expect(days[0]?.textContent).toBe('TodaySunny,high –, low  40°0% chance of rain or snow');
  expect(days[1]?.textContent).toContain('Fri');
});

test('a seasonal average is not called a forecast', async () => {
  fakeApi({ 'GET /api/weather': weather({ source: 'seasonal' }) });
  renderAt('/', <WeatherCard />);
  await screen.findByText('Usual for mid July');
  expect(screen.queryByRole('list', { name: 'Forecast' })).toBeNull();
});

test('the card shows that it is loading, and the reason of an error', async () => {
  let isDown = true;
  fakeApi({ 'GET /api/weather': () => (isDown ? problem(503, 'unavailable') : weather()) });
  renderAt('/', <WeatherCard />);
  expect(screen.getByText('Loading the weather')).toBeTruthy();
  await screen.findByText(/^Couldn’t load the weather/);
  isDown = false;
  await userEvent.click(screen.getByRole('button', { name: 'Check the weather again' }));
  expect(await screen.findByRole('region', { name: 'Weather in Washington, DC' })).toBeTruthy();
});

test('an event shows the forecast for its day, requested for a position of a tenth of a degree', async () => {
  vi.setSystemTime(new Date('2030-07-11T16:00:00Z'));
  const calls = fakeApi({ 'GET /api/weather': weather() });
  renderAt('/', <DayForecast event={eventFixture({ place })} />);
  const day = await screen.findByRole('region', { name: 'Weather on the day' });
  expect(day.textContent).toBe('SunnyHigh 61°, low 41°, 10% chance of rain or snow');
  expect(calls.map(({ path }) => path)).toEqual(['/api/weather?near=38.9,-77.0']);
});

test.each([
  ['a later day', weather(), eventFixture({ place, eventDate: '2030-07-20T04:00:00.000Z' })],
  ['averages of the season', weather({ source: 'seasonal' }), eventFixture({ place })],
])('an event shows no forecast for %s', async (_name, answer, event) => {
  vi.setSystemTime(new Date('2030-07-11T16:00:00Z'));
  const calls = fakeApi({ 'GET /api/weather': answer });
  const { queries } = renderAt('/', <DayForecast event={event} />);
  await waitFor(() => expect(calls).toHaveLength(1));
  await waitFor(() => expect(queries.isFetching()).toBe(0));
  expect(screen.queryByRole('region', { name: 'Weather on the day' })).toBeNull();
});

test('an event without a place requests no weather', () => {
  const calls = fakeApi({});
  renderAt('/', <DayForecast event={eventFixture({ place: null })} />);
  expect(calls).toEqual([]);
});

import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Weather } from '@beltway/contracts/media/weather';
import { logger } from '@beltway/kit/logger';
import { afterEach, describe, expect, test } from 'vitest';
import { seasonal, TYPICAL } from './seasonal.ts';
import { openWeatherReports, type WeatherOptions } from './weather.ts';

/** A Monday at 2 PM in New York. */
const NOW = new Date('2026-11-23T19:00:00Z');
const dc = { lat: 38.9072, lon: -77.0369 };

const closing: Array<() => Promise<unknown>> = [];
afterEach(async () => void (await Promise.all(closing.splice(0).map((close) => close()))));

/** A server on this machine, and the paths that were requested from it. */
async function serve(listener: RequestListener) {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(req.url!);
    listener(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
type Answers = Record<string, unknown | ((res: ServerResponse) => void)>;
const answering = (answers: Answers) =>
  serve((req, res) => {
    const answer = answers[req.url!.split('?')[0]!];
    if (typeof answer === 'function') return void (answer as (res: ServerResponse) => void)(res);
    res.statusCode = answer === undefined ? 404 : 200;
    res.end(JSON.stringify(answer ?? {}));
  });

const period = (startTime: string, isDaytime: boolean, temperature: number, more: object = {}) => ({
  startTime,
  isDaytime,
  temperature,
  temperatureUnit: 'F',
  probabilityOfPrecipitation: { unitCode: 'wmoUnit:percent', value: isDaytime ? 20 : null },
  windSpeed: '5 to 10 mph',
  shortForecast: isDaytime ? 'Sunny' : 'Clear',
  ...more,
});
const periods = Array.from({ length: 7 }, (_, at) => [
  period(`2026-11-${23 + at}T06:00:00-05:00`, true, 60 + at),
  period(`2026-11-${23 + at}T18:00:00-05:00`, false, 40 + at),
]).flat();
const observation = {
  timestamp: '2026-11-23T18:52:00+00:00',
  textDescription: 'Mostly Cloudy',
  temperature: { unitCode: 'wmoUnit:degC', value: 15 },
  relativeHumidity: { unitCode: 'wmoUnit:percent', value: 52.4 },
  windSpeed: { unitCode: 'wmoUnit:km_h-1', value: 16.1 },
  visibility: { unitCode: 'wmoUnit:m', value: 16093 },
  windChill: { unitCode: 'wmoUnit:degC', value: null },
  heatIndex: { unitCode: 'wmoUnit:degC', value: null },
};
const national = (changes: Answers = {}): Answers => ({
  '/points/38.9,-77.0': {
    properties: { gridId: 'LWX', gridX: 97, gridY: 71, forecast: 'http://169.254.169.254/latest/meta-data' },
  },
  '/gridpoints/LWX/97,71/forecast': { properties: { periods } },
  '/gridpoints/LWX/97,71/stations': { features: [{ properties: { stationIdentifier: 'KDCA' } }] },
  '/stations/KDCA/observations/latest': { properties: observation },
  ...changes,
});
const open = (changes: Answers = {}): Answers => ({
  '/v1/forecast': {
    current: {
      temperature_2m: 58.6,
      relative_humidity_2m: 40,
      apparent_temperature: 55.1,
      weather_code: 3,
      wind_speed_10m: 7.9,
      visibility: 16093.44,
    },
    current_units: { visibility: 'm' },
    daily: {
      time: ['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27'],
      weather_code: [3, 61, 71, 0, 95],
      temperature_2m_max: [59.5, 50, 36, 41, 55],
      temperature_2m_min: [41, 38, 28, 25, 40],
      precipitation_probability_max: [5, 90, 80, 0, 60],
    },
    ...changes,
  },
});
const reports = (options: Partial<WeatherOptions>) =>
  openWeatherReports({ log: logger('weather-test', 'silent'), clock: () => NOW, ...options });
const openUrl = (url: string) => `${url}/v1/forecast`;

describe('the chain of sources', () => {
  test('first: the weather service’s forecast with the latest observation of a station', async () => {
    const { url } = await answering(national());
    const report = await reports({ serviceUrl: url }).at(dc);
    expect(report.source).toBe('observation');
    expect(report.current).toEqual({
      temp: 59,
      condition: 'Mostly Cloudy',
      humidity: 52,
      windSpeed: 10,
      visibility: 10,
      feelsLike: null,
    });
    expect(report.forecast).toHaveLength(5);
    expect(report.forecast[0]).toEqual({
      date: '2026-11-23',
      day: 'Mon',
      high: 60,
      low: 40,
      condition: 'Sunny',
      precipitation: 20,
    });
    expect(Weather.safeParse({ location: 'Washington, DC', ...report }).success).toBe(true);
  });
  test.each<[string, unknown]>([
    ['is down', (res: ServerResponse) => void res.destroy()],
    ['has no observation', undefined],
    ['says no temperature', { properties: { ...observation, temperature: { unitCode: 'wmoUnit:degC', value: null } } }],
    ['observed yesterday', { properties: { ...observation, timestamp: '2026-11-22T18:52:00+00:00' } }],
    ['observed 900 degrees', { properties: { ...observation, temperature: { unitCode: 'wmoUnit:degC', value: 900 } } }],
    ['counts in another unit', { properties: { ...observation, temperature: { unitCode: 'wmoUnit:K', value: 288 } } }],
  ])('second: the forecast only, when the station %s', async (_name, answer) => {
    const { url } = await answering(national({ '/stations/KDCA/observations/latest': answer }));
    const report = await reports({ serviceUrl: url }).at(dc);
    expect(report.source).toBe('forecast');
    expect(report.current).toMatchObject({ temp: 60, condition: 'Sunny', windSpeed: 10, humidity: null });
    expect(report.forecast).toHaveLength(5);
  });
  test('an hours-old forecast gives its value for this hour as the current weather', async () => {
    const night = period('2026-11-22T18:00:00-05:00', false, 20, { windSpeed: '30 mph', shortForecast: 'Snow' });
    const { url } = await answering(
      national({
        '/gridpoints/LWX/97,71/forecast': { properties: { periods: [night, ...periods] } },
        '/stations/KDCA/observations/latest': undefined,
      }),
    );
    const report = await reports({ serviceUrl: url }).at(dc);
    expect(report.current).toMatchObject({ temp: 60, condition: 'Sunny', windSpeed: 10 });
  });
  test('a day that is almost over has no high', async () => {
    const { url } = await answering(
      national({ '/gridpoints/LWX/97,71/forecast': { properties: { periods: periods.slice(1) } } }),
    );
    const report = await reports({ serviceUrl: url }).at(dc);
    expect(report.forecast[0]).toMatchObject({ date: '2026-11-23', high: null, low: 40, condition: 'Clear' });
  });
  test('third: the open weather API, with its API key', async () => {
    const { url, asked } = await answering(open());
    const report = await reports({ openUrl: openUrl(url), openKey: 'key 1' }).at(dc);
    expect(report).toMatchObject({ source: 'open', current: { temp: 59, condition: 'Cloudy', visibility: 10 } });
    expect(report.forecast.map(({ condition }) => condition)).toEqual([
      'Cloudy',
      'Rain',
      'Snow',
      'Clear',
      'Thunderstorms',
    ]);
    const query = new URL(asked[0]!, url).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({ latitude: '38.9', longitude: '-77.0', apikey: 'key 1' });
  });
  test('last: typical weather of the season, labeled as such, with no measurement', async () => {
    const report = await reports({}).at(dc);
    expect(report.source).toBe('seasonal');
    expect(report.current).toMatchObject({ condition: TYPICAL, humidity: null, windSpeed: null, visibility: null });
    expect(report.forecast.every(({ condition }) => condition === TYPICAL)).toBe(true);
  });
});

/** A correct response after 10 MB of blanks. */
const large = (answer: unknown) => (res: ServerResponse) => {
  const part = Buffer.alloc(64 * 1024, ' ');
  let left = 160;
  const more = () => {
    while (left-- > 0) if (!res.write(part)) return void res.once('drain', more);
    res.end(JSON.stringify(answer));
  };
  more();
};

describe.each(['service', 'open'] as const)(
  'a source with an implausible or failed response is skipped (%s)',
  (which) => {
    const path = which === 'service' ? '/gridpoints/LWX/97,71/forecast' : '/v1/forecast';
    const options = (url: string): Partial<WeatherOptions> =>
      which === 'service' ? { serviceUrl: url } : { openUrl: openUrl(url) };
    const service = (change: object) => ({ properties: { periods: [{ ...periods[0], ...change }] } });
    const api = (change: object) =>
      open({ current: { temperature_2m: 50, weather_code: 1, ...change } })['/v1/forecast'];
    test.each<[string, unknown]>([
      ['sends wrong types', which === 'service' ? service({ temperature: '60' }) : api({ temperature_2m: '60' })],
      ['tells absurd values', which === 'service' ? service({ temperature: 4_000 }) : api({ temperature_2m: -999 })],
      ['sends null', null],
      ['sends text', (res: ServerResponse) => void res.end('<html>busy</html>')],
      ['sends 10 MB', large({ ...national(), ...open() }[path])],
      ['never answers', () => undefined],
      ['stops in the middle', (res: ServerResponse) => void res.write('{"current":')],
      ['breaks the connection', (res: ServerResponse) => void res.destroy()],
      ['answers 500', (res: ServerResponse) => void res.writeHead(500).end()],
      [
        'tells of another year',
        which === 'service'
          ? service({ startTime: '2016-11-23T06:00:00-05:00' })
          : open({ daily: { ...(open()['/v1/forecast'] as { daily: object }).daily, time: ['2016-11-23'] } })[
              '/v1/forecast'
            ],
      ],
    ])('%s', async (_name, answer) => {
      const { url } = await answering({ ...national(), ...open(), [path]: answer });
      const report = await reports({ ...options(url), timeoutMs: 300 }).at(dc);
      expect(report).toEqual(seasonal(NOW));
    });
    test('redirects to a URL in our network, which is never requested', async () => {
      const secret = await serve((_req, res) => void res.end(JSON.stringify(open()['/v1/forecast'])));
      const redirect = (res: ServerResponse) => void res.writeHead(302, { location: secret.url }).end();
      const { url } = await answering({ ...national(), ...open(), [path]: redirect });
      expect((await reports(options(url)).at(dc)).source).toBe('seasonal');
      expect(secret.asked).toEqual([]);
    });
  },
);

test('names in the service’s responses cannot cause requests to other URLs', async () => {
  const strange = { properties: { gridId: '../../admin', gridX: 97, gridY: 71 } };
  const { url, asked } = await answering(national({ '/points/38.9,-77.0': strange }));
  expect((await reports({ serviceUrl: url }).at(dc)).source).toBe('seasonal');
  expect(asked).toEqual(['/points/38.9,-77.0']);
});

test('the open weather API is used while the weather service is down', async () => {
  const [down, up] = await Promise.all([answering({}), answering(open())]);
  const report = await reports({ serviceUrl: down.url, openUrl: openUrl(up.url) }).at(dc);
  expect(report.source).toBe('open');
});

describe('requests to a source', () => {
  test('are made once for concurrent requests in one cell, and again after ten minutes', async () => {
    let now = NOW.getTime();
    const { url, asked } = await answering(open());
    const weather = reports({ openUrl: openUrl(url), clock: () => new Date(now) });
    await Promise.all(Array.from({ length: 50 }, (_, at) => weather.at({ lat: 38.9 + at / 10_000, lon: -77.04 })));
    expect(asked).toHaveLength(1);
    now += 10 * 60_000 - 1;
    await weather.at(dc);
    expect(asked).toHaveLength(1);
    now += 1;
    await weather.at(dc);
    expect(asked).toHaveLength(2);
    await weather.at({ lat: 39.3, lon: -76.6 });
    expect(asked).toHaveLength(3);
  });
  test('are not made for any place within a minute after the source was down', async () => {
    let now = NOW.getTime();
    let isDown = true;
    const { url, asked } = await answering({
      '/v1/forecast': (res: ServerResponse) =>
        isDown ? void res.writeHead(503).end() : void res.end(JSON.stringify(open()['/v1/forecast'])),
    });
    const weather = reports({ openUrl: openUrl(url), clock: () => new Date(now) });
    expect((await weather.at(dc)).source).toBe('seasonal');
    expect((await weather.at({ lat: 39.3, lon: -76.6 })).source).toBe('seasonal');
    expect(asked).toHaveLength(1);
    isDown = false;
    now += 60_000;
    expect((await weather.at(dc)).source).toBe('open');
  });
  test('for an unknown place do not affect other places', async () => {
    const { url } = await answering(national());
    const weather = reports({ serviceUrl: url });
    expect((await weather.at({ lat: 38.3, lon: -76.3 })).source).toBe('seasonal');
    expect((await weather.at(dc)).source).toBe('observation');
  });
  test('are made for at most eight places at the same time', async () => {
    const waiting: ServerResponse[] = [];
    const { url, asked } = await answering({ '/v1/forecast': (res: ServerResponse) => void waiting.push(res) });
    const weather = reports({ openUrl: openUrl(url) });
    const all = Array.from({ length: 40 }, (_, at) => weather.at({ lat: 38.3 + at / 10, lon: -77 }));
    expect((await Promise.all(all.slice(8))).every(({ source }) => source === 'seasonal')).toBe(true);
    await expect.poll(() => waiting.length).toBe(8);
    for (const res of waiting) res.end(JSON.stringify(open()['/v1/forecast']));
    expect((await Promise.all(all.slice(0, 8))).every(({ source }) => source === 'open')).toBe(true);
    expect(asked).toHaveLength(8);
  });
});

test('the season is warmest in July and in the afternoon, and changes from month to month without a jump', () => {
  const at = (iso: string) => seasonal(new Date(iso)).current.temp;
  expect(at('2026-07-15T19:00:00Z')).toBe(90);
  expect(at('2026-01-15T10:00:00Z')).toBe(30);
  expect(at('2026-07-15T09:00:00Z')).toBe(72);
  for (let day = Date.UTC(2026, 0, 1, 17); day < Date.UTC(2027, 0, 1); day += 86_400_000) {
    const [today, tomorrow] = seasonal(new Date(day)).forecast;
    expect(Math.abs(tomorrow!.high! - today!.high!)).toBeLessThanOrEqual(2);
    expect(today!.high!).toBeGreaterThan(today!.low!);
  }
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event, EventPage } from '@beltway/contracts/catalog/events';
import { PUBLIC_URL, startCatalog, withTickets, type Catalog } from './catalog.ts';

const ann = { id: 1 };

let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

let series = 0;
const aTag = () => `e${++series}x`;
const publish = (title: string, more: object = {}) => catalog.publish(ann, { title, ...more });
const cancel = ({ id }: Event) => catalog.call('POST', `/api/events/${id}/cancel`, { as: ann });

interface Element {
  name: string;
  attributes: Record<string, string>;
}

/**
 * Parses a page as a browser does: returns its elements and the text between them. Fails at any `<` or `>` outside of
 * our elements.
 */
async function embed(query: Record<string, string | number>, status = 200) {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const answer = await fetch(`${catalog.url}/embed?${search}`);
  const html = await answer.text();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  const elements: Element[] = [];
  const texts = html
    .replace(/^<!doctype html>\n/, '')
    .replace(/<\/?([a-z][a-z1-6]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/g, (whole, name: string, given: string) => {
      const attributes = [...given.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)].map(([, key, value = '']) => [
        key!,
        plain(value),
      ]);
      if (!whole.startsWith('</'))
        elements.push({ name, attributes: Object.fromEntries(attributes) as Element['attributes'] });
      return '\n';
    });
  expect(texts).not.toMatch(/[<>]/);
  const named = (name: string) =>
    elements.filter((element) => element.name === name).map(({ attributes }) => attributes);
  const lines = texts.split('\n').map((line) => plain(line.trim()));
  return { answer, html, elements, named, lines: lines.filter(Boolean) };
}
const plain = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

test('shows the events of its search, each with day, place and price, to every visitor', async () => {
  const tag = aTag();
  const event = await publish('Jazz', { tags: [`#${tag}`], ...withTickets });
  await publish('Open Air', { tags: [`#${tag}`], freeEntry: true, eventDate: '2026-12-01', eventStartTime: '20:00' });
  const { answer, lines, named } = await embed({ tags: tag });
  expect(lines).toEqual([
    ...['What’s on', 'What’s on', 'Today, 8 PM ET', 'Open Air', 'The Wharf, DC', 'Free entry'],
    ...['Sat, Dec 5, 7 PM ET', 'Jazz', 'The Wharf, DC', '$25.00', 'More on Beltway'],
  ]);
  expect(named('a').map(({ href }) => href)).toContain(`${PUBLIC_URL}/event/${event.id}`);
  for (const { target, rel } of named('a')) expect([target, rel]).toEqual(['_blank', 'noopener']);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=1');
  expect(answer.headers.get('cache-tag')).toBe('events');
  expect(answer.headers.get('set-cookie')).toBeNull();
});

test('consists of list elements only, without forms and scripts', async () => {
  await publish('Plain');
  const { elements, named } = await embed({});
  const names = new Set(elements.map(({ name }) => name));
  for (const name of ['form', 'input', 'button', 'iframe', 'object', 'style', 'base'])
    expect(names).not.toContain(name);
  expect(named('script')).toEqual([{ src: '/embed-frame.js' }]);
  expect(named('link')).toEqual([{ rel: 'stylesheet', href: '/embed.css' }]);
  const given = new Set(elements.flatMap(({ attributes }) => Object.keys(attributes)));
  expect([...given].filter((name) => name === 'style' || name.startsWith('on'))).toEqual([]);
});

test.each([
  '</script><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  'שלום עולם, موسيقى',
  '👩🏽‍🍳 王 &amp; &lt;b&gt;',
])('shows %j as text', async (title) => {
  const tag = aTag();
  await publish(title, { tags: [`#${tag}`], location: title });
  const { lines } = await embed({ tags: tag });
  expect(lines.filter((line) => line === title)).toHaveLength(2);
});

test('shows only the events of an organizer, as search and feeds do', async () => {
  const own = await catalog.publish({ id: 77 }, { title: 'Mine' });
  const { lines, named } = await embed({ organizer: 77 });
  expect(lines.filter((line) => line === 'Mine')).toHaveLength(1);
  expect(named('li')).toHaveLength(1);
  expect(named('a').at(-1)!['href']).toBe(`${PUBLIC_URL}/organizer/77`);
  const found = await catalog.call<EventPage>('GET', '/api/events?organizer=77');
  expect(found.body.items.map(({ id }) => id)).toEqual([own.id]);
  const feed = await (await fetch(`${catalog.url}/api/events.ics?organizer=77`)).text();
  expect(feed.match(/^UID:.*$/gm)).toEqual([expect.stringContaining(`event-${own.id}@`)]);
  expect((await embed({ organizer: 78 })).lines).toContain('Nothing is announced right now.');
});

test('marks sold-out and postponed events, and leaves out canceled ones', async () => {
  const tag = aTag();
  const full = await publish('Full', { tags: [`#${tag}`], ...withTickets });
  await catalog.hear(full.id, { sold: 100, held: 0, version: 1 });
  await catalog.heard();
  const late = await publish('Late', { tags: [`#${tag}`], ...withTickets, eventDate: '2026-12-08' });
  await catalog.call('POST', `/api/events/${late.id}/postpone`, { as: ann });
  await cancel(await publish('Off', { tags: [`#${tag}`] }));
  expect((await embed({ tags: tag })).lines.slice(2, -1)).toEqual([
    ...['Sat, Dec 5, 7 PM ET', 'Full', 'The Wharf, DC', 'Sold Out'],
    ...['Postponed, new date to be announced', 'Late', 'The Wharf, DC'],
  ]);
});

test('uses the requested theme, or the theme of the device', async () => {
  const themeOf = async (query: Record<string, string>) => (await embed(query)).named('html')[0]!['data-theme'];
  expect(await themeOf({})).toBe('auto');
  expect(await themeOf({ theme: 'dark' })).toBe('dark');
  expect(await themeOf({ theme: 'light' })).toBe('light');
});

test('has six events, or the requested number within its bounds', async () => {
  const tag = aTag();
  for (let at = 0; at < 8; at++) await publish(`Event ${at}`, { tags: [`#${tag}`] });
  const count = async (query: Record<string, string>) => (await embed({ tags: tag, ...query })).named('li').length;
  expect([await count({}), await count({ limit: '7' }), await count({ limit: '24' })]).toEqual([6, 7, 8]);
});

test.each([
  ['limit', '25', 'from 1 to 24'],
  ['limit', '1e9', 'from 1 to 24'],
  ['theme', '"><script>', 'one of auto, light, dark'],
  ['near', '</p><script>alert(1)</script>', 'We couldn’t find that place'],
  ['organizer', '0', 'organizer'],
  ['organizer', "1' or '1'='1", 'organizer'],
  ['q', 'x'.repeat(10_000), 'at most 200 characters'],
])('is a page that states why %s may not be %s', async (name, value, reason) => {
  const { lines, answer } = await embed({ [name]: value }, 400);
  expect(lines).toContain('This list cannot be shown');
  expect(lines.find((line) => line.includes(reason))).toBeTruthy();
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Route } from '../routes/route.ts';
import { publicRoutes, routeTable } from '../routes/table.ts';
import { findTarget } from './target.ts';

const search: Route = {
  method: 'get',
  path: '/api/search/{place}',
  service: 'catalog',
  summary: '',
  access: 'public',
  cache: 'public',
  query: { q: z.string(), tags: z.string(), near: z.string() },
};
const targetOf = findTarget(routeTable({ isEmbedded: true, hasSandbox: true }, [...publicRoutes, search]));

test.each([
  ['/api/events', '/api/events'],
  ['/api/EVENTS/', '/api/events'],
  ['/api/events/7?utm_source=mail&x=1', '/api/events/7'],
  ['/api/Tickets/Stats', '/api/tickets/stats'],
  ['/api/search/dc?tags=jazz&q=free', '/api/search/dc?q=free&tags=jazz'],
  ['/api/search/dc?q=free&tags=jazz&cachebuster=99', '/api/search/dc?q=free&tags=jazz'],
  ['/api/search/dc?q=free%20jazz', '/api/search/dc?q=free+jazz'],
  ['/api/search/dc?q=%66ree', '/api/search/dc?q=free'],
  ['/api/search/dc?q=', '/api/search/dc?q='],
  ['/api/search/dc?constructor=1&__proto__=2', '/api/search/dc'],
])('%s is cached as %s', (url, kept) => expect(targetOf(url)?.url).toBe(kept));

test('the case of a parameter’s value matters', () => {
  expect(targetOf('/api/search/dc?q=Jazz')?.url).not.toBe(targetOf('/api/search/dc?q=jazz')?.url);
  expect(targetOf('/api/search/DC')?.url).not.toBe(targetOf('/api/search/dc')?.url);
});

test.each([
  ['a repeated parameter, which only the service can read', '/api/search/dc?q=a&q=b'],
  ['a URL that is too long to be shared', `/api/search/dc?q=${'a'.repeat(1_024)}`],
  ['a segment with other characters than a name', '/api/events/a%20b'],
  ['dots', '/api/events/..'],
  ['encoded dots', '/api/events/%2e%2e/internal'],
  ['a target that is refused', '/api/events?x#y'],
  ['a path with a first segment in upper case, which is not a call', '/API/events'],
  ['an answer that must be exact', '/api/events/7/availability'],
  ['a call for one reader', '/api/tickets/my-tickets'],
  ['a call that the gateway itself handles', '/api/config'],
  ['pictures', '/media/images/a-large.webp'],
  ['a path without a call', '/api/nothing'],
])('%s is not cached', (_what, url) => expect(targetOf(url)).toBeUndefined());

test('no call that needs or reads a token may be kept', () => {
  const kept = publicRoutes.filter(
    ({ method, path }) => method === 'get' && targetOf(path.replace(/\{\w+\}/g, '7')) !== undefined,
  );
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.filter(({ access, headers }) => access !== 'public' || headers !== undefined)).toEqual([]);
});

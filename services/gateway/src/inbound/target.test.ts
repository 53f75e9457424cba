import fc from 'fast-check';
import { expect, test } from 'vitest';
import { routeTable } from '../routes/table.ts';
import { badTarget, pathOf } from './target.ts';

const table = routeTable({ isEmbedded: true, hasSandbox: true });

test.each([
  '/',
  '/api/events',
  '/api/events?q=a//b/../c%2f',
  '/event/5',
  '/media/images/a-large.webp',
  '/a.b/..c/...',
  '/%20x',
  '/@a:b;c=d,e+f',
])('%s is accepted', (target) => expect(badTarget('GET', target)).toBeUndefined());

test('only unambiguous paths are accepted: no service sees a path that a URL parser would change', () => {
  const piece = fc.constantFrom(
    '/',
    '//',
    '.',
    '..',
    '%2e',
    '%2E',
    '%2f',
    '%5C',
    '\\',
    '%00',
    '%',
    '#',
    '?',
    'api',
    'events',
    'internal',
    'a',
    ';',
    '@',
    ':',
    'http:',
    '\t',
    'é',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const target = `/api/events/${pieces.join('')}`;
      if (badTarget('GET', target)) return;
      const parsed = new URL(target, 'http://gateway');
      expect(parsed.host).toBe('gateway');
      expect(parsed.pathname).toBe(pathOf(target));
      const decoded = decodeURIComponent(pathOf(target));
      expect(decoded.split('/').some((segment) => segment === '.' || segment === '..')).toBe(false);
      expect(decoded.split('/')).toHaveLength(pathOf(target).split('/').length);
      expect(table.serviceFor(pathOf(target)) ?? 'nobody').toMatch(/catalog|ticketing|nobody/);
    }),
    { numRuns: 5_000 },
  );
});

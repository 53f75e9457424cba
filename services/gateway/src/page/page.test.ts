import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { PAGES } from './page.ts';

const router = readFileSync(fileURLToPath(new URL('../../../../frontend/src/router.tsx', import.meta.url)), 'utf8');
/** Those with facts in their heads have a row of their own in `page.ts`. */
const own = ['/event/:id', '/organizer/:id'];

test('every address of the frontend’s router is answered 200', () => {
  const paths = [...router.matchAll(/<Route path="(\/[^"]*)"/g)].map(([, path]) => path!);
  expect(paths.length).toBeGreaterThan(12);
  for (const path of paths.filter((one) => !own.includes(one)))
    expect(PAGES.test(path.replace(/:\w+/g, '7')), path).toBe(true);
});

import { setImmediate as turn } from 'node:timers/promises';
import type { Queryable } from '@beltway/kit/postgres';
import { expect, test } from 'vitest';
import { readWords } from './vocabulary.ts';

test('a search of ten words that nobody wrote takes one connection at a time from other searches', async () => {
  let inside = 0;
  let most = 0;
  const query = async () => {
    most = Math.max(most, ++inside);
    await turn();
    inside--;
    return { rows: [] };
  };
  const text = Array.from({ length: 10 }, (_, at) => `xqzwvkj${at} `).join('');
  expect(await readWords({ query } as unknown as Queryable, text)).toBeNull();
  expect(most).toBe(1);
});

import { setImmediate as turn } from 'node:timers/promises';
import type { Queryable } from '@beltway/kit/postgres';
import { expect, test } from 'vitest';
import { readWords } from './vocabulary.ts';

test('a search of ten unknown words uses one connection at a time', async () => {
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

/** A fake vocabulary in which every searched word lacks its final letter; records the lookups of similar words. */
function similar(isKnown: (word: string) => boolean) {
  const asked: string[] = [];
  const query = (text: string, [word]: [string]) => {
    if (!text.includes('similarity')) return Promise.resolve({ rows: [] });
    asked.push(word);
    return Promise.resolve({ rows: isKnown(word) ? [{ word: `${word}s`, lexeme: word }] : [] });
  };
  return { asked, db: { query } as unknown as Queryable };
}
const words = (count: number) => Array.from({ length: count }, (_, at) => `quokka${at}x `).join('');

test('if a word cannot be corrected, no further word is corrected, because nothing can be found', async () => {
  const { db, asked } = similar(() => false);
  expect(await readWords(db, words(10))).toBeNull();
  expect(asked).toEqual(['quokka0x']);
});

test('a search corrects at most five words, because corrections are expensive; with more unknown words it finds nothing', async () => {
  const five = similar(() => true);
  expect(await readWords(five.db, words(5))).toHaveLength(5);
  expect(five.asked).toHaveLength(5);
  const ten = similar(() => true);
  expect(await readWords(ten.db, words(10))).toBeNull();
  expect(ten.asked.length).toBeLessThanOrEqual(5);
});

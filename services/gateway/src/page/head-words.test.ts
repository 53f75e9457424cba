import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { headWords } from './head-words.ts';

test('the built page’s title and description, in its own HTML and in our heads, begin with the same words', () => {
  const html = readFileSync(new URL('../../../../frontend/index.html', import.meta.url), 'utf8');
  const said = (pattern: RegExp) => pattern.exec(html)![1]!;
  expect(said(/name="description"\s+content="(.*?)"/).startsWith(headWords.en.siteDescription)).toBe(true);
  const { description, noScript } = headWords.es.builtPage!;
  expect(description.startsWith(headWords.es.siteDescription)).toBe(true);
  expect(noScript).not.toBe(said(/<noscript>(.*?)<\/noscript>/));
});

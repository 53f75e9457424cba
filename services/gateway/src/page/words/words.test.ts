import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CATEGORIES } from '@beltway/contracts/catalog/categories';
import type { Language } from '@beltway/contracts/common/languages';
import { expect, test } from 'vitest';
import type { Words } from './english.ts';
import { wordsIn } from './words.ts';

const frontend = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../../frontend/${path}`, import.meta.url)), 'utf8');
/** A text of one of the page's catalogues. */
function saidBy(folder: string, key: string, language: Language): string {
  const file = frontend(`src/${folder}/texts.${language}.ts`);
  return new RegExp(`^  ${key}:\\s+'(.*)',$`, 'm').exec(file)![1]!;
}

type Plain = { [Key in keyof Words]: Words[Key] extends string ? Key : never }[keyof Words];
/** Words of the first screens and of heads, and what the page's script says in the same places. */
const SAME: Array<[Plain, folder: string, key: string]> = [
  ['siteName', 'lib/i18n', 'siteTitle'],
  ['anOrganiser', 'features/organizer', 'nameless'],
  ...(['welcome', 'headline', 'leadWide', 'lead', 'find', 'launch', 'nextUp', 'freeEntry'] as const).map(
    (key): [Plain, string, string] => [key, 'features/home', key],
  ),
  ['where', 'lib/i18n', 'where'],
  ...(['sponsored', 'ended', 'date', 'time', 'place', 'directions', 'newTab', 'entry', 'tags', 'tickets'] as const).map(
    (key): [Plain, string, string] => [key, 'features/event-page', key],
  ),
  ['perTicket', 'features/event-page', 'perTicket'],
  ['freeEntryNoTicket', 'lib/i18n', 'freeEntry'],
  ['liveStream', 'features/live', 'liveStream'],
  ['getTickets', 'features/checkout', 'details'],
  ['comeIn', 'features/auth', 'comeIn'],
  ['whyAccount', 'features/auth', 'why'],
];

test.each(['en', 'es'] as const)('the first screen says what the page’s script says: %s', (language) => {
  const words = wordsIn[language];
  for (const [word, folder, key] of SAME) expect(words[word], word).toBe(saidBy(folder, key, language));
  expect(words.pictureOf('Jazz')).toBe(saidBy('features/event-page', 'pictureOf', language).replace('{title}', 'Jazz'));
  expect(words.firstStep).toBe(saidBy('features/checkout', 'step', language).replace('{number}', '1'));
  for (const category of CATEGORIES) expect(words.category(category)).toBe(saidBy('lib/i18n', category.name, language));
});

test('every plain word is compared with the page’s, but what heads alone say', () => {
  const plain = Object.entries(wordsIn.es).flatMap(([word, said]) => (typeof said === 'string' ? [word] : []));
  const compared = new Set<string>([...SAME.map(([word]) => word), 'firstStep', 'siteDescription']);
  expect(plain.filter((word) => !compared.has(word))).toEqual([]);
});

test('Spanish has no word of English left', () => {
  const [en, es] = [wordsIn.en, wordsIn.es];
  for (const [word] of SAME) expect(es[word], word).not.toBe(en[word]);
});

test('what stands in place of the built page’s words begins as its heads do', () => {
  const html = frontend('index.html');
  const said = (pattern: RegExp) => pattern.exec(html)![1]!;
  expect(said(/<title>(.*?)<\/title>/)).toBe(wordsIn.en.siteName);
  expect(said(/name="description"\s+content="(.*?)"/).startsWith(wordsIn.en.siteDescription)).toBe(true);
  const { description, noScript } = wordsIn.es.builtPage!;
  expect(description.startsWith(wordsIn.es.siteDescription)).toBe(true);
  expect(noScript).not.toBe(said(/<noscript>(.*?)<\/noscript>/));
});

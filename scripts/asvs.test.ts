import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The requirements of OWASP ASVS 5.0 at level 1 and 2: `chapter.section: numbers`. */
const REQUIREMENTS = `
  1.1: 1-2
  1.2: 1-9
  1.3: 1-11
  1.4: 1-3
  1.5: 1-2
  2.1: 1-3
  2.2: 1-3
  2.3: 1-4
  2.4: 1
  3.2: 1-2
  3.3: 1-4
  3.4: 1-6
  3.5: 1-5
  3.7: 1-2
  4.1: 1-3
  4.2: 1
  4.3: 1-2
  4.4: 1-4
  5.1: 1
  5.2: 1-3
  5.3: 1-2
  5.4: 1-3
  6.1: 1-3
  6.2: 1-12
  6.3: 1-4
  6.4: 1-4
  6.5: 1-5
  6.6: 1-3
  6.8: 1-4
  7.1: 1-3
  7.2: 1-4
  7.3: 1-2
  7.4: 1-5
  7.5: 1-2
  7.6: 1-2
  8.1: 1-2
  8.2: 1-3
  8.3: 1
  8.4: 1
  9.1: 1-3
  9.2: 1-4
  10.1: 1-2
  10.2: 1-2
  10.3: 1-4
  10.4: 1-11
  10.5: 1-5
  10.6: 1-2
  10.7: 1-3
  11.1: 1-2
  11.2: 1-3
  11.3: 1-3
  11.4: 1-4
  11.5: 1
  11.6: 1
  12.1: 1-3
  12.2: 1-2
  12.3: 1-4
  13.1: 1
  13.2: 1-5
  13.3: 1-2
  13.4: 1-5
  14.1: 1-2
  14.2: 1-4
  14.3: 1-3
  15.1: 1-3
  15.2: 1-3
  15.3: 1-7
  16.1: 1
  16.2: 1-5
  16.3: 1-4
  16.4: 1-3
  16.5: 1-3
  17.1: 1
  17.2: 1-4
  17.3: 1-2
`;

const ranges = (text: string): number[] =>
  text.split(' ').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
const numbers = REQUIREMENTS.trim()
  .split('\n')
  .map((line) => line.trim().split(': '))
  .flatMap(([section = '', all = '']) => ranges(all).map((number) => `${section}.${number}`));

const page = read('docs/security/asvs.md');
const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) +\| ([12]) +\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)].map(
  ([, number = '', , subject = '', verdict = '', why = '']) => ({ number, subject, verdict, why }),
);
const countOf = (verdict: string): number => rows.filter((row) => row.verdict === verdict).length;
/** Tests that a row of the mapping cites: `path` “title”. */
const cited = (why: string): Array<[path: string, title: string]> =>
  [...why.matchAll(/`([^`]+)` “([^”]+)”/g)].map(([, path = '', title = '']) => [path, title]);

test('every requirement has one row, in order', () => {
  expect(numbers).toHaveLength(253);
  expect(rows.map(({ number }) => number)).toEqual(numbers);
});

test('no row is empty, and each verdict has its evidence', () => {
  const wrong = rows.filter(({ subject, verdict, why }) => {
    if (subject.split(' ').length > 8) return true;
    if (verdict === 'met') return cited(why).length === 0 && !/\]\(/.test(why);
    if (verdict === 'deviation') return !/^Reason: .+ Risk: .+ Accepts it: .+/.test(why);
    return !['does not apply', 'open'].includes(verdict) || why.length < 10;
  });
  expect(wrong.map(({ number }) => number)).toEqual([]);
});

test('every test that a row cites exists', () => {
  const gone = rows.flatMap(({ number, why }) =>
    cited(why)
      .filter(([path, title]) => !existsSync(join(root, path)) || !read(path).includes(title))
      .map(([path, title]) => `${number}: ${path} has no “${title}”`),
  );
  expect(gone).toEqual([]);
});

test('the counts match the rows', () => {
  const counts =
    /(\d+) requirements: (\d+)\s+apply, of\s+which\s+(\d+) are\s+met, (\d+)\s+are\s+deviations\s+and (\d+)\s+are\s+open; (\d+)\s+do not\s+apply/;
  const stated = counts.exec(page.replace(/\s+/g, ' '))?.slice(1).map(Number);
  const apply = rows.length - countOf('does not apply');
  const found = [rows.length, apply, countOf('met'), countOf('deviation'), countOf('open'), countOf('does not apply')];
  expect(stated).toEqual(found);
});

import { describe, expect, test } from 'vitest';
import { blocksOf } from './description.ts';
import { plainDescription } from './plain-description.ts';

const onlyLine = (text: string) => {
  const [block] = blocksOf(text);
  return block && 'lines' in block ? block.lines[0] : undefined;
};

test('line breaks stay, a blank line begins a paragraph', () =>
  expect(blocksOf('Doors at 7\nShow at 8\n\n\nBring a friend')).toEqual([
    { lines: [['Doors at 7'], ['Show at 8']] },
    { lines: [['Bring a friend']] },
  ]));

test('lists have bullets or numbers, and may follow a line directly', () =>
  expect(blocksOf('Tonight:\n- Go-go\n* Food trucks\n3. Third\n4) Fourth')).toEqual([
    { lines: [['Tonight:']] },
    { items: [['Go-go'], ['Food trucks']] },
    { items: [['Third'], ['Fourth']], from: 3 },
  ]));

test('a dash without a space, and a number in a sentence, begin no list', () =>
  expect(blocksOf('-5 degrees\n2026 was great\n9:30 Club')).toHaveLength(1));

describe('links', () => {
  test('show their words, or their URL', () => {
    expect(onlyLine('See [the form](https://example.com/form) or https://example.com/x.')).toEqual([
      'See ',
      { href: 'https://example.com/form', words: 'the form' },
      ' or ',
      { href: 'https://example.com/x', words: 'https://example.com/x' },
      '.',
    ]);
  });
  test('keep parentheses inside the URL, but not parentheses around the URL', () => {
    expect(onlyLine('(https://example.com/a_(b))')).toEqual([
      '(',
      { href: 'https://example.com/a_(b)', words: 'https://example.com/a_(b)' },
      ')',
    ]);
  });
  test.each([
    'javascript:alert(1)',
    '[x](javascript:alert(1))',
    '[x](data:text/html,a)',
    'https://bank.example@evil.example/',
    '[x](https://user:pass@evil.example)',
    'https://localhost/',
    '[x](//evil.example)',
  ])('%s is text', (text) => expect(onlyLine(text)?.join('')).toBe(text));
  test('with words that name another URL show the real URL', () =>
    expect(onlyLine('[https://bank.example](https://evil.example/x) [bank.example](https://evil.example/y)')).toEqual([
      { href: 'https://evil.example/x', words: 'https://evil.example/x' },
      ' ',
      { href: 'https://evil.example/y', words: 'https://evil.example/y' },
    ]));
});

test('HTML and other markup are text', () =>
  expect(onlyLine('<b>Free</b> **beer** & `code`')).toEqual(['<b>Free</b> **beer** & `code`']));

test('long runs of brackets are parsed quickly', () => {
  const start = Date.now();
  blocksOf('['.repeat(5_000));
  blocksOf('[a]('.repeat(1_250));
  blocksOf('https://a.b/'.padEnd(5_000, ')'));
  expect(Date.now() - start).toBeLessThan(5_000);
});

test('the plain form keeps only the words of links', () => {
  expect(plainDescription('- See [the form](https://example.com/form)\n- https://example.com')).toBe(
    '- See the form\n- https://example.com',
  );
  expect(plainDescription('[x](javascript:alert(1))')).toBe('[x](javascript:alert(1))');
});

import { expect, test } from 'vitest';
import { embedSnippet } from './snippet.ts';

test('a browser parses the snippet as one script element with the right URL and parameters', () => {
  const holder = document.createElement('div');
  holder.innerHTML = embedSnippet({ organizerId: 7, theme: 'dark', count: '3' }, 'https://beltway.test');
  expect(holder.children).toHaveLength(1);
  const script = holder.querySelector('script')!;
  expect(script.getAttribute('src')).toBe('https://beltway.test/embed.js');
  expect(script.dataset['search']).toBe('organizer=7&theme=dark&limit=3');
});

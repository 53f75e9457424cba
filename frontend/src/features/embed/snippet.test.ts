import { expect, test } from 'vitest';
import { embedSnippet } from './snippet.ts';

test('a browser reads the snippet as one script element with its address and its search', () => {
  const holder = document.createElement('div');
  holder.innerHTML = embedSnippet({ organizerId: 7, theme: 'dark', count: '3' }, 'https://beltway.test');
  expect(holder.children).toHaveLength(1);
  const script = holder.querySelector('script')!;
  expect(script.getAttribute('src')).toBe('https://beltway.test/embed.js');
  expect(script.dataset['search']).toBe('organizer=7&theme=dark&limit=3');
});

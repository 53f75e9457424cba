import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const html = document.documentElement;
beforeEach(() => {
  vi.resetModules();
  html.dataset['theme'] = 'light';
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => undefined }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
  delete html.dataset['theme'];
});

test('a system that became dark between the HTML and its script makes the page dark', async () => {
  await import('./theme.ts');
  expect(html.dataset['theme']).toBe('dark');
});

test('a chosen theme stays', async () => {
  localStorage.setItem('beltway.theme', 'light');
  await import('./theme.ts');
  expect(html.dataset['theme']).toBe('light');
});

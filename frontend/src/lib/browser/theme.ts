import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

/** Also read by index.html before the first paint. */
const KEY = 'beltway.theme';
const listeners = new Set<() => void>();
const current = (): Theme => (document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light');

function show(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  // The browser colors its own bars with the page's background color.
  const ground = getComputedStyle(document.body).backgroundColor;
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', ground);
  for (const listener of listeners) listener();
}

/**
 * The theme and a function to choose one. Until the visitor chooses one, the theme follows the system's setting, even
 * when that changes.
 */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);
  return [
    theme,
    (chosen) => {
      localStorage.setItem(KEY, chosen);
      show(chosen);
    },
  ];
}

const system = matchMedia('(prefers-color-scheme: dark)');
function followSystem(): void {
  const wanted = system.matches ? 'dark' : 'light';
  if (!localStorage.getItem(KEY) && wanted !== current()) show(wanted);
}
system.addEventListener('change', followSystem);
// The setting may have changed since the HTML was shown.
followSystem();
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === KEY && newValue) show(newValue === 'dark' ? 'dark' : 'light');
});

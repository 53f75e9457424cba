import './lib/browser/zod-settings.ts';
import './styles.css';
import { dayAt } from '@beltway/contracts/common/times';
import { QueryClientProvider } from '@tanstack/react-query';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { ErrorBoundary } from './layout/error-boundary.tsx';
import { prepareTexts } from './layout/prepare-texts.ts';
import { watchErrors } from './lib/browser/error-report.ts';
import { firstScreen, seedFirstScreen } from './lib/events/first-screen.ts';
import { language, speak, wantedLanguage } from './lib/i18n/language.ts';
import { isForWantOfNetwork } from './lib/loading/lazily.ts';
import { createQueryClient } from './lib/http/query.ts';
import { sessionStore } from './lib/storage/session-store.ts';
import { AppRoutes, preparePage } from './router.tsx';
import { Toaster } from './ui/toaster.tsx';

speak(wantedLanguage());
watchErrors();

const queries = createQueryClient();

// When another user signs in, removes or refetches all queries, so that the previous user's data is not shown.
let userId = sessionStore.get().user?.id;
sessionStore.subscribe(() => {
  const next = sessionStore.get().user?.id;
  if (next === userId) return;
  userId = next;
  // Runs after React has unmounted the pages that need a session.
  setTimeout(() => {
    queries.removeQueries({ type: 'inactive' });
    void queries.invalidateQueries();
  });
});

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
const page = createRoot(root, {
  // Logs errors like React's default, except network errors, which the page itself explains.
  onCaughtError: (error, { componentStack }) => {
    if (!isForWantOfNetwork(error)) console.error(error, componentStack);
  },
});
// Renders in a transition, so that the browser handles input during the render.
const show = () =>
  startTransition(() =>
    page.render(
      <StrictMode>
        <QueryClientProvider client={queries}>
          <ErrorBoundary>
            <BrowserRouter>
              <AppRoutes />
            </BrowserRouter>
            <Toaster />
          </ErrorBoundary>
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
/** Lets the browser handle input before the next task. */
const pause = () => new Promise<void>((resolve) => setTimeout(resolve));
/** Prepares the page that replaces the first screen, in tasks that are short on a slow phone. */
async function prepareToShow(): Promise<void> {
  await pause();
  const page = Promise.all([preparePage(window.location.pathname), prepareTexts()]);
  await pause();
  // The browser loads its time zones when it formats the first date.
  dayAt(new Date());
  await pause();
  seedFirstScreen(queries);
  await page;
  await prepareTexts();
  await pause();
}
const screen = firstScreen();
// The first screen in the HTML stays until the page can replace it, with its texts loaded.
if (screen?.language === language()) void prepareToShow().then(show);
// A first screen in another language is hidden (styles.css) and then removed.
else if (screen || language() !== 'en')
  void prepareTexts().then(() => {
    seedFirstScreen(queries);
    root.replaceChildren();
    document.getElementById('first-screen')?.remove();
    show();
  });
else show();

/** Delay in milliseconds after loading, so that offline preparation does not slow down the page. */
const SETTLED_MS = 3_000;

// Production only: in development, files change without a new name, so a service worker would serve stale files.
if (import.meta.env.PROD) {
  const prepare = async () => (await import('./lib/offline/prepare-offline.ts')).prepareOffline();
  const whenSettled = () => setTimeout(() => void prepare().catch(() => undefined), SETTLED_MS);
  if (document.readyState === 'complete') whenSettled();
  else window.addEventListener('load', whenSettled, { once: true });
}

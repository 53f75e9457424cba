import './lib/browser/zod-settings.ts';
import './styles.css';
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

// When another user signs in, nothing of the last one's data is shown: all queries are dropped or repeated.
let userId = sessionStore.get().user?.id;
sessionStore.subscribe(() => {
  const next = sessionStore.get().user?.id;
  if (next === userId) return;
  userId = next;
  // After React has taken down the pages that need a session.
  setTimeout(() => {
    queries.removeQueries({ type: 'inactive' });
    void queries.invalidateQueries();
  });
});

seedFirstScreen(queries);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
const page = createRoot(root, {
  // As React does by itself, but for what the page itself says.
  onCaughtError: (error, { componentStack }) => {
    if (!isForWantOfNetwork(error)) console.error(error, componentStack);
  },
});
// As a transition: the browser answers touches in between, instead of waiting until all is rendered.
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
/** The browser may answer a touch before the next piece of work. */
const pause = () => new Promise<void>((resolve) => setTimeout(resolve));
const screen = firstScreen();
// What the HTML shows already stays until the page can take its place, in its own words.
if (screen?.language === language())
  void pause()
    .then(() => Promise.all([preparePage(window.location.pathname), prepareTexts()]))
    .then(prepareTexts)
    .then(pause)
    .then(show);
// In another language nobody sees it (styles.css), and it goes.
else if (screen || language() !== 'en')
  void prepareTexts().then(() => {
    root.replaceChildren();
    document.getElementById('first-screen')?.remove();
    show();
  });
else show();

/** After the page has settled: nobody should wait for what is needed only without a network. In milliseconds. */
const SETTLED_MS = 3_000;

// In development files change under their names: a service worker would show old ones.
if (import.meta.env.PROD) {
  const prepare = async () => (await import('./lib/offline/prepare-offline.ts')).prepareOffline();
  const whenSettled = () => setTimeout(() => void prepare().catch(() => undefined), SETTLED_MS);
  if (document.readyState === 'complete') whenSettled();
  else window.addEventListener('load', whenSettled, { once: true });
}

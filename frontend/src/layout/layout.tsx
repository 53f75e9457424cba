import { Suspense, useEffect, useRef } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { textsNow, useTexts } from '../lib/i18n/catalog.ts';
import { Loading, Skeleton } from '../ui/states.tsx';
import { showsPage } from '../ui/toast.ts';
import { BottomBar } from './bottom-bar.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Footer } from './footer.tsx';
import { FRAME, MAIN } from './frame.tsx';
import { Header } from './header.tsx';
import { HeaderDialogs } from './header-dialogs.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { useExpiryRedirect } from './require-session.tsx';
import { SignInIntent } from './sign-in-intent.tsx';
import { useScrollRestoration } from './scroll.ts';
import { texts } from './texts.en.ts';

/** What stands around every page. */
export function Layout() {
  const t = useTexts(texts);
  useScrollRestoration();
  useExpiryRedirect();
  return (
    <HeaderDialogs>
      <a
        href="#main"
        className="fixed start-4 top-2 z-60 -translate-y-24 rounded-full bg-inverse px-5 py-3 font-strong text-on-inverse focus:translate-y-0"
      >
        {t('toContent')}
      </a>
      <SignInIntent />
      <div className={FRAME}>
        <Header />
        <OfflineNotice />
        <Main />
        <Footer />
        <BottomBar />
      </div>
    </HeaderDialogs>
  );
}

function Main() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  // A new page begins at its beginning for the keyboard and the screen reader too; the first one leaves the focus where it is.
  useEffect(() => {
    if (shown.current !== pathname) main.current?.focus({ preventScroll: true });
    shown.current = pathname;
    showsPage(pathname);
  }, [pathname]);
  return (
    <main id="main" ref={main} tabIndex={-1} className={MAIN}>
      <ErrorBoundary resetKey={pathname}>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </main>
  );
}

const PageSkeleton = () => (
  <Loading label={textsNow(texts)('loadingPage')} className="page grid min-h-dvh content-start gap-4 py-12">
    <Skeleton className="h-14 w-2/3 max-w-xl" />
    <Skeleton className="h-5 w-1/2 max-w-md" />
    <Skeleton className="mt-6 h-72 w-full rounded-lg" />
  </Loading>
);

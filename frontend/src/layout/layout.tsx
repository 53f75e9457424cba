import { Suspense, useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { textsNow, useTexts } from '../lib/i18n/catalog.ts';
import { Loading, Skeleton } from '../ui/states.tsx';
import { showsPage } from '../ui/toast.ts';
import { BottomBar } from './bottom-bar.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Footer } from './footer.tsx';
import { CARDS_ID } from './focus-search.ts';
import { FRAME, MAIN } from './frame.tsx';
import { Header } from './header.tsx';
import { HeaderDialogs } from './header-dialogs.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { useExpiryRedirect } from './require-session.tsx';
import { SignInIntent } from './sign-in-intent.tsx';
import { useScrollRestoration } from './scroll.ts';
import { texts } from './texts.en.ts';

/** Visible while it has the focus. */
const SkipLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <a
    href={`#${to}`}
    className="fixed start-4 top-2 z-60 -translate-y-24 rounded-full bg-inverse px-5 py-3 font-strong text-on-inverse focus:translate-y-0 print:hidden"
  >
    {children}
  </a>
);

/** The frame around every page. */
export function Layout() {
  const t = useTexts(texts);
  useScrollRestoration();
  useExpiryRedirect();
  const { pathname } = useLocation();
  return (
    <HeaderDialogs>
      <SkipLink to="main">{t('toContent')}</SkipLink>
      {pathname === '/' && <SkipLink to={CARDS_ID}>{t('toEvents')}</SkipLink>}
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
  // On navigation, moves the focus to the start of the new page for keyboards and screen readers. The first page keeps
  // its focus. This is a layout effect, so that it runs before a section named in the URL takes the focus.
  useLayoutEffect(() => {
    if (shown.current !== pathname) main.current?.focus({ preventScroll: true });
    shown.current = pathname;
  }, [pathname]);
  useEffect(() => showsPage(pathname), [pathname]);
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

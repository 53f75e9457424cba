import { type ComponentType, type ReactNode } from 'react';
import { Route, Routes } from 'react-router-dom';
import { Layout } from './layout/layout.tsx';
import { RequireSession } from './layout/require-session.tsx';
import { lazily } from './lib/loading/lazily.ts';

type LoadPage = () => Promise<{ Component: ComponentType }>;

/** Each page is its own chunk. Its file exports `function Component()`. */
const page = (load: LoadPage): ReactNode => {
  const Page = lazily(async () => (await load()).Component);
  return <Page />;
};

/** Loaded pages that have a first screen in the HTML. They render immediately, without a skeleton. */
const loaded = new Map<LoadPage, ComponentType>();
function AtOnce({ load, other }: { load: LoadPage; other: ReactNode }) {
  const Page = loaded.get(load);
  return Page ? <Page /> : other;
}
const atOnce = (load: LoadPage): ReactNode => <AtOnce load={load} other={page(load)} />;
const loadHome: LoadPage = () => import('./routes/events/home.tsx');
const loadEvent: LoadPage = () => import('./routes/events/event.tsx');
const loadAuth: LoadPage = () => import('./routes/account/auth.tsx');
const loadTicketCheckout: LoadPage = () => import('./routes/checkout/ticket-checkout.tsx');
const loadOrganizer: LoadPage = () => import('./routes/events/organizer.tsx');
const loadPosts: LoadPage = () => import('./routes/community/posts.tsx');
/** The pages that have a first screen, keyed by the first segment of their path. */
const loadOf: Record<string, LoadPage | undefined> = {
  '': loadHome,
  event: loadEvent,
  organizer: loadOrganizer,
  'ticket-checkout': loadTicketCheckout,
  auth: loadAuth,
  community: loadPosts,
};

/** Loads the page of a first screen. A failed load is retried when the page renders. */
export async function preparePage(pathname: string): Promise<void> {
  const load = loadOf[pathname.split('/')[1]?.toLowerCase() ?? ''];
  await load?.().then(
    ({ Component }) => loaded.set(load, Component),
    () => undefined,
  );
}
const signedIn = (element: ReactNode): ReactNode => <RequireSession>{element}</RequireSession>;

/**
 * All paths. The build reads them for the gateway (vite.config.ts): `:uuid` is any text, other parameters are numbers.
 */
const PAGES: Record<string, ReactNode> = {
  '/': atOnce(loadHome),
  '/tonight': page(() => import('./routes/events/tonight.tsx')),
  '/auth': atOnce(loadAuth),
  '/event/:id': atOnce(loadEvent),
  '/organizer/:id': atOnce(loadOrganizer),
  '/following': signedIn(page(() => import('./routes/events/following.tsx'))),
  '/ticket-checkout': atOnce(loadTicketCheckout),
  '/ticket-success': page(() => import('./routes/checkout/ticket-success.tsx')),
  '/checkout': signedIn(page(() => import('./routes/checkout/promotion-checkout.tsx'))),
  '/livestream-checkout': signedIn(page(() => import('./routes/checkout/livestream-checkout.tsx'))),
  '/checkout/success': signedIn(page(() => import('./routes/checkout/promotion-success.tsx'))),
  '/ad-pricing': page(() => import('./routes/ads/ad-pricing.tsx')),
  '/ad-checkout': page(() => import('./routes/checkout/ad-checkout.tsx')),
  '/ad-checkout-success': page(() => import('./routes/checkout/ad-checkout-success.tsx')),
  '/my-tickets': signedIn(page(() => import('./routes/account/my-tickets.tsx'))),
  '/saved': signedIn(page(() => import('./routes/events/saved.tsx'))),
  '/account': signedIn(page(() => import('./routes/account/account.tsx'))),
  '/verify-email': page(() => import('./routes/account/verify-email.tsx')),
  '/forgot-password': page(() => import('./routes/account/forgot-password.tsx')),
  '/reset-password': page(() => import('./routes/account/reset-password.tsx')),
  '/gallery': signedIn(page(() => import('./routes/media/gallery.tsx'))),
  '/community': atOnce(loadPosts),
  '/community/posts/:id': page(() => import('./routes/community/post.tsx')),
  '/community/questions': page(() => import('./routes/community/questions.tsx')),
  '/community/questions/:id': page(() => import('./routes/community/question.tsx')),
  '/community/leaderboard': page(() => import('./routes/community/leaderboard.tsx')),
  '/community/challenges': page(() => import('./routes/community/challenges.tsx')),
  '/community/badges': page(() => import('./routes/community/badges.tsx')),
  '/community/referrals': signedIn(page(() => import('./routes/community/referrals.tsx'))),
  '/community/connections': signedIn(page(() => import('./routes/community/connections.tsx'))),
  '/u/:id': page(() => import('./routes/community/profile.tsx')),
  '/top-picks': page(() => import('./routes/media/top-picks.tsx')),
  '/unsubscribe': page(() => import('./routes/account/unsubscribe.tsx')),
  '/dashboard': signedIn(page(() => import('./routes/dashboard/dashboard.tsx'))),
  '/dashboard/events/:id': signedIn(page(() => import('./routes/dashboard/attendees.tsx'))),
  '/studio/:eventId': signedIn(page(() => import('./routes/dashboard/studio.tsx'))),
  '/payouts/return': signedIn(page(() => import('./routes/dashboard/payouts-return.tsx'))),
  '/payouts/refresh': signedIn(page(() => import('./routes/dashboard/payouts-refresh.tsx'))),
  '/admin': signedIn(page(() => import('./routes/admin/admin.tsx'))),
  '/customers': signedIn(page(() => import('./routes/admin/customers.tsx'))),
  '/contact-messages': signedIn(page(() => import('./routes/admin/contact-messages.tsx'))),
  '/disputes': signedIn(page(() => import('./routes/admin/disputes.tsx'))),
  '/ops': signedIn(page(() => import('./routes/admin/ops.tsx'))),
  '/reported-comments': signedIn(page(() => import('./routes/moderation/reported-comments.tsx'))),
  '/moderation': signedIn(page(() => import('./routes/moderation/moderation.tsx'))),
  '/moderation/mine': signedIn(page(() => import('./routes/moderation/mine.tsx'))),
  '/moderation/appeal': page(() => import('./routes/moderation/appeal.tsx')),
  '/ad/:uuid': page(() => import('./routes/ads/ad.tsx')),
  '/admin/ads': signedIn(page(() => import('./routes/admin/ads.tsx'))),
  '/admin/referrals': signedIn(page(() => import('./routes/admin/referrals.tsx'))),
  '/admin/gallery': signedIn(page(() => import('./routes/admin/gallery.tsx'))),
  '/admin/top-picks': signedIn(page(() => import('./routes/admin/top-picks.tsx'))),
  '/privacy': page(() => import('./routes/policies/privacy.tsx')),
  '/terms': page(() => import('./routes/policies/terms.tsx')),
  '/refunds': page(() => import('./routes/policies/refunds.tsx')),
  '/accessibility': page(() => import('./routes/policies/accessibility.tsx')),
};
const notFound = page(() => import('./routes/not-found.tsx'));

/** Uses no data router, which would double the router's size, because queries load the data. */
export const AppRoutes = () => (
  <Routes>
    <Route element={<Layout />}>
      {Object.entries(PAGES).map(([path, element]) => (
        <Route key={path} path={path} element={element} />
      ))}
      <Route path="*" element={notFound} />
    </Route>
  </Routes>
);

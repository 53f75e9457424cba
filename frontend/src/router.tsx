import { type ComponentType, type ReactNode } from 'react';
import { Route, Routes } from 'react-router-dom';
import { Layout } from './layout/layout.tsx';
import { RequireSession } from './layout/require-session.tsx';
import { lazily } from './lib/loading/lazily.ts';

type LoadPage = () => Promise<{ Component: ComponentType }>;

/** Each page is a chunk of its own: `export function Component()` in its file. */
const page = (load: LoadPage): ReactNode => {
  const Page = lazily(async () => (await load()).Component);
  return <Page />;
};

/** Pages whose first screen comes with the HTML: once they are loaded they are shown at once, without a skeleton in between. */
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
/** All others with a first screen are events. */
const loadOf: Record<string, LoadPage | undefined> = {
  '/': loadHome,
  '/auth': loadAuth,
  '/ticket-checkout': loadTicketCheckout,
};

/** Loads the page of an address that has a first screen in its HTML; what fails is tried again when it is shown. */
export async function preparePage(pathname: string): Promise<void> {
  const load = loadOf[pathname] ?? loadEvent;
  await load().then(
    ({ Component }) => loaded.set(load, Component),
    () => undefined,
  );
}
const signedIn = (element: ReactNode): ReactNode => <RequireSession>{element}</RequireSession>;

const home = atOnce(loadHome);
const auth = atOnce(loadAuth);
const event = atOnce(loadEvent);
const organizer = page(() => import('./routes/events/organizer.tsx'));
const following = signedIn(page(() => import('./routes/events/following.tsx')));
const ticketCheckout = atOnce(loadTicketCheckout);
const ticketSuccess = page(() => import('./routes/checkout/ticket-success.tsx'));
const promotionCheckout = signedIn(page(() => import('./routes/checkout/promotion-checkout.tsx')));
const livestreamCheckout = signedIn(page(() => import('./routes/checkout/livestream-checkout.tsx')));
const promotionSuccess = signedIn(page(() => import('./routes/checkout/promotion-success.tsx')));
const myTickets = signedIn(page(() => import('./routes/account/my-tickets.tsx')));
const unsubscribe = page(() => import('./routes/account/unsubscribe.tsx'));
const verifyEmail = page(() => import('./routes/account/verify-email.tsx'));
const forgotPassword = page(() => import('./routes/account/forgot-password.tsx'));
const resetPassword = page(() => import('./routes/account/reset-password.tsx'));
const account = signedIn(page(() => import('./routes/account/account.tsx')));
const saved = signedIn(page(() => import('./routes/events/saved.tsx')));
const gallery = signedIn(page(() => import('./routes/media/gallery.tsx')));
const community = page(() => import('./routes/community/posts.tsx'));
const communityPost = page(() => import('./routes/community/post.tsx'));
const communityQuestions = page(() => import('./routes/community/questions.tsx'));
const communityQuestion = page(() => import('./routes/community/question.tsx'));
const communityLeaderboard = page(() => import('./routes/community/leaderboard.tsx'));
const communityChallenges = page(() => import('./routes/community/challenges.tsx'));
const communityBadges = page(() => import('./routes/community/badges.tsx'));
const communityReferrals = signedIn(page(() => import('./routes/community/referrals.tsx')));
const communityConnections = signedIn(page(() => import('./routes/community/connections.tsx')));
const profile = page(() => import('./routes/community/profile.tsx'));
const topPicks = page(() => import('./routes/media/top-picks.tsx'));
const dashboard = signedIn(page(() => import('./routes/dashboard/dashboard.tsx')));
const attendees = signedIn(page(() => import('./routes/dashboard/attendees.tsx')));
const studio = signedIn(page(() => import('./routes/dashboard/studio.tsx')));
const payoutsReturn = signedIn(page(() => import('./routes/dashboard/payouts-return.tsx')));
const payoutsRefresh = signedIn(page(() => import('./routes/dashboard/payouts-refresh.tsx')));
const admin = signedIn(page(() => import('./routes/admin/admin.tsx')));
const customers = signedIn(page(() => import('./routes/admin/customers.tsx')));
const contactMessages = signedIn(page(() => import('./routes/admin/contact-messages.tsx')));
const disputes = signedIn(page(() => import('./routes/admin/disputes.tsx')));
const ops = signedIn(page(() => import('./routes/admin/ops.tsx')));
const reportedComments = signedIn(page(() => import('./routes/moderation/reported-comments.tsx')));
const moderation = signedIn(page(() => import('./routes/moderation/moderation.tsx')));
const moderationMine = signedIn(page(() => import('./routes/moderation/mine.tsx')));
const moderationAppeal = page(() => import('./routes/moderation/appeal.tsx'));
const ad = page(() => import('./routes/ads/ad.tsx'));
const adminAds = signedIn(page(() => import('./routes/admin/ads.tsx')));
const adminReferrals = signedIn(page(() => import('./routes/admin/referrals.tsx')));
const adminGallery = signedIn(page(() => import('./routes/admin/gallery.tsx')));
const adminTopPicks = signedIn(page(() => import('./routes/admin/top-picks.tsx')));
const privacy = page(() => import('./routes/policies/privacy.tsx'));
const terms = page(() => import('./routes/policies/terms.tsx'));
const refunds = page(() => import('./routes/policies/refunds.tsx'));
const accessibility = page(() => import('./routes/policies/accessibility.tsx'));
const tonight = page(() => import('./routes/events/tonight.tsx'));
const adPricing = page(() => import('./routes/ads/ad-pricing.tsx'));
const adCheckout = page(() => import('./routes/checkout/ad-checkout.tsx'));
const adCheckoutSuccess = page(() => import('./routes/checkout/ad-checkout-success.tsx'));
const notFound = page(() => import('./routes/not-found.tsx'));

/** All addresses of the page. Without the data router, which doubles the router's size: data is loaded by queries. */
export const AppRoutes = () => (
  <Routes>
    <Route element={<Layout />}>
      <Route path="/" element={home} />
      <Route path="/tonight" element={tonight} />
      <Route path="/auth" element={auth} />
      <Route path="/event/:id" element={event} />
      <Route path="/organizer/:id" element={organizer} />
      <Route path="/following" element={following} />
      <Route path="/ticket-checkout" element={ticketCheckout} />
      <Route path="/ticket-success" element={ticketSuccess} />
      <Route path="/checkout" element={promotionCheckout} />
      <Route path="/livestream-checkout" element={livestreamCheckout} />
      <Route path="/checkout/success" element={promotionSuccess} />
      <Route path="/ad-pricing" element={adPricing} />
      <Route path="/ad-checkout" element={adCheckout} />
      <Route path="/ad-checkout-success" element={adCheckoutSuccess} />
      <Route path="/my-tickets" element={myTickets} />
      <Route path="/saved" element={saved} />
      <Route path="/account" element={account} />
      <Route path="/verify-email" element={verifyEmail} />
      <Route path="/forgot-password" element={forgotPassword} />
      <Route path="/reset-password" element={resetPassword} />
      <Route path="/gallery" element={gallery} />
      <Route path="/community" element={community} />
      <Route path="/community/posts/:id" element={communityPost} />
      <Route path="/community/questions" element={communityQuestions} />
      <Route path="/community/questions/:id" element={communityQuestion} />
      <Route path="/community/leaderboard" element={communityLeaderboard} />
      <Route path="/community/challenges" element={communityChallenges} />
      <Route path="/community/badges" element={communityBadges} />
      <Route path="/community/referrals" element={communityReferrals} />
      <Route path="/community/connections" element={communityConnections} />
      <Route path="/u/:id" element={profile} />
      <Route path="/top-picks" element={topPicks} />
      <Route path="/unsubscribe" element={unsubscribe} />
      <Route path="/dashboard" element={dashboard} />
      <Route path="/dashboard/events/:id" element={attendees} />
      <Route path="/studio/:eventId" element={studio} />
      <Route path="/payouts/return" element={payoutsReturn} />
      <Route path="/payouts/refresh" element={payoutsRefresh} />
      <Route path="/admin" element={admin} />
      <Route path="/customers" element={customers} />
      <Route path="/contact-messages" element={contactMessages} />
      <Route path="/disputes" element={disputes} />
      <Route path="/ops" element={ops} />
      <Route path="/reported-comments" element={reportedComments} />
      <Route path="/moderation" element={moderation} />
      <Route path="/moderation/mine" element={moderationMine} />
      <Route path="/moderation/appeal" element={moderationAppeal} />
      <Route path="/ad/:id" element={ad} />
      <Route path="/admin/ads" element={adminAds} />
      <Route path="/admin/referrals" element={adminReferrals} />
      <Route path="/admin/gallery" element={adminGallery} />
      <Route path="/admin/top-picks" element={adminTopPicks} />
      <Route path="/privacy" element={privacy} />
      <Route path="/terms" element={terms} />
      <Route path="/refunds" element={refunds} />
      <Route path="/accessibility" element={accessibility} />
      <Route path="*" element={notFound} />
    </Route>
  </Routes>
);

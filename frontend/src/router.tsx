import { type ComponentType, type ReactNode } from 'react';
import { Route, Routes } from 'react-router-dom';
import { Layout } from './layout/layout.tsx';
import { RequireSession } from './layout/require-session.tsx';
import { lazily } from './lib/lazily.ts';

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
const loadHome: LoadPage = () => import('./routes/home.tsx');
const loadEvent: LoadPage = () => import('./routes/event.tsx');
const loadAuth: LoadPage = () => import('./routes/auth.tsx');
const loadTicketCheckout: LoadPage = () => import('./routes/ticket-checkout.tsx');
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
const organizer = page(() => import('./routes/organizer.tsx'));
const following = signedIn(page(() => import('./routes/following.tsx')));
const ticketCheckout = atOnce(loadTicketCheckout);
const ticketSuccess = page(() => import('./routes/ticket-success.tsx'));
const promotionCheckout = signedIn(page(() => import('./routes/promotion-checkout.tsx')));
const livestreamCheckout = signedIn(page(() => import('./routes/livestream-checkout.tsx')));
const promotionSuccess = signedIn(page(() => import('./routes/promotion-success.tsx')));
const myTickets = signedIn(page(() => import('./routes/my-tickets.tsx')));
const unsubscribe = page(() => import('./routes/unsubscribe.tsx'));
const verifyEmail = page(() => import('./routes/verify-email.tsx'));
const forgotPassword = page(() => import('./routes/forgot-password.tsx'));
const resetPassword = page(() => import('./routes/reset-password.tsx'));
const account = signedIn(page(() => import('./routes/account.tsx')));
const saved = signedIn(page(() => import('./routes/saved.tsx')));
const gallery = signedIn(page(() => import('./routes/gallery.tsx')));
const community = page(() => import('./routes/community.tsx'));
const communityPost = page(() => import('./routes/community-post.tsx'));
const communityQuestions = page(() => import('./routes/community-questions.tsx'));
const communityQuestion = page(() => import('./routes/community-question.tsx'));
const communityLeaderboard = page(() => import('./routes/community-leaderboard.tsx'));
const communityChallenges = page(() => import('./routes/community-challenges.tsx'));
const communityBadges = page(() => import('./routes/community-badges.tsx'));
const communityReferrals = signedIn(page(() => import('./routes/community-referrals.tsx')));
const communityConnections = signedIn(page(() => import('./routes/community-connections.tsx')));
const profile = page(() => import('./routes/profile.tsx'));
const topPicks = page(() => import('./routes/top-picks.tsx'));
const dashboard = signedIn(page(() => import('./routes/dashboard.tsx')));
const attendees = signedIn(page(() => import('./routes/attendees.tsx')));
const studio = signedIn(page(() => import('./routes/studio.tsx')));
const payoutsReturn = signedIn(page(() => import('./routes/payouts-return.tsx')));
const payoutsRefresh = signedIn(page(() => import('./routes/payouts-refresh.tsx')));
const admin = signedIn(page(() => import('./routes/admin.tsx')));
const customers = signedIn(page(() => import('./routes/customers.tsx')));
const contactMessages = signedIn(page(() => import('./routes/contact-messages.tsx')));
const disputes = signedIn(page(() => import('./routes/disputes.tsx')));
const ops = signedIn(page(() => import('./routes/ops.tsx')));
const reportedComments = signedIn(page(() => import('./routes/reported-comments.tsx')));
const moderation = signedIn(page(() => import('./routes/moderation.tsx')));
const moderationMine = signedIn(page(() => import('./routes/moderation-mine.tsx')));
const moderationAppeal = page(() => import('./routes/moderation-appeal.tsx'));
const ad = page(() => import('./routes/ad.tsx'));
const adminAds = signedIn(page(() => import('./routes/admin-ads.tsx')));
const adminReferrals = signedIn(page(() => import('./routes/admin-referrals.tsx')));
const adminGallery = signedIn(page(() => import('./routes/admin-gallery.tsx')));
const adminTopPicks = signedIn(page(() => import('./routes/admin-top-picks.tsx')));
const privacy = page(() => import('./routes/privacy.tsx'));
const terms = page(() => import('./routes/terms.tsx'));
const refunds = page(() => import('./routes/refunds.tsx'));
const accessibility = page(() => import('./routes/accessibility.tsx'));
const tonight = page(() => import('./routes/tonight.tsx'));
const adPricing = page(() => import('./routes/ad-pricing.tsx'));
const adCheckout = page(() => import('./routes/ad-checkout.tsx'));
const adCheckoutSuccess = page(() => import('./routes/ad-checkout-success.tsx'));
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

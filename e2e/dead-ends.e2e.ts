import type { Event } from '@beltway/contracts/catalog/events';
import type { LiveStream } from '@beltway/contracts/catalog/livestream';
import type { Session } from '@beltway/contracts/identity/accounts';
import { expect, test } from 'vitest';
import { crawl, type Findings } from './support/crawl.ts';
import { signedIn } from './support/pages.ts';
import { stage } from './support/stage.ts';

const here = stage({ demo: true, oneProcess: true });

/** Returns the screens that only this role sees. On the last screen the test also presses the header and footer. */
type Screens = () => Promise<string[]>;

const demoEvents = () => here.api.call<Event[]>('GET', '/api/events');
const isSelling = ({ ticketPrice, totalTickets, soldTickets }: Event) =>
  ticketPrice !== null && (totalTickets ?? 0) - soldTickets > 20;

const ofVisitor: Screens = async () => {
  const events = await demoEvents();
  const selling = events.find(isSelling)!;
  const free = events.find(({ freeEntry }) => freeEntry)!;
  const gone = events.find(({ totalTickets, soldTickets }) => totalTickets !== null && totalTickets === soldTickets)!;
  return [
    ...[`/event/${selling.id}`, `/event/${free.id}`, `/event/${gone.id}`, `/organizer/${selling.userId}`],
    ...[selling, free, gone].map(({ id }) => `/ticket-checkout?eventId=${id}`),
    ...['/?view=map', '/?view=calendar', '/tonight', '/top-picks', '/auth', '/forgot-password'],
    ...['/ad-pricing', '/ad-checkout', '/ad-checkout?package=basic'],
    ...['/community', '/community/questions', '/community/leaderboard', '/community/challenges', '/community/badges'],
    ...['/privacy', '/terms', '/refunds', '/accessibility', '/nowhere', '/'],
  ];
};
const ofUser: Screens = async () => [
  ...['/my-tickets', '/saved', '/following', '/gallery', '/account', '/moderation/mine'],
  ...['/community/referrals', '/community/connections', '/'],
];
const ofBusiness: Screens = async () => {
  const [event] = (await demoEvents()).filter(isSelling);
  const [stream] = await here.api.call<LiveStream[]>('GET', '/api/live-streams');
  return [
    ...[`/event/${event!.id}`, '/dashboard', `/dashboard/events/${event!.id}`, `/studio/${stream!.id}`],
    ...['/checkout', `/checkout?level=premium&eventId=${event!.id}`, `/livestream-checkout?eventId=${event!.id}`],
    ...['/admin', '/customers', '/gallery', '/'],
  ];
};
const ofAdmin: Screens = async () => [
  ...['/admin', '/contact-messages', '/disputes', '/ops', '/reported-comments', '/moderation'],
  ...['/admin/ads', '/admin/referrals', '/admin/gallery', '/admin/top-picks', '/'],
];

/** These tests wait many times on each screen, so they take as long as ten other stories. */
const LONG = { timeout: 1_800_000 };

test.for([
  ['a visitor', null, ofVisitor],
  ['a user', 'explorer', ofUser],
  ['a business', 'business', ofBusiness],
  ['an admin', 'admin', ofAdmin],
] as const)('every control that %s sees leads on, and so does every link', LONG, async ([, who, screens]) => {
  const found: Findings = { idle: [], links: new Set() };
  const pressed = new Set<string>();
  const page = await here.visitor({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  if (who) {
    const account = { email: `${who}@beltway.test`, password: 'demo-beltway' };
    await signedIn(page, await here.api.call<Session>('POST', '/api/auth/login', account));
  }
  const paths = await screens();
  for (const path of paths) await crawl(page, path, found, { pressed, withFrame: path === paths.at(-1) });
  for (const link of found.links) {
    if (!link.startsWith('/')) continue; // within the page, a mail, or another site
    if (link.startsWith('/nowhere')) continue; // the missing page, in Spanish
    const { status } = await here.api.ask('GET', link);
    if (status !== 200) found.idle.push(`${link}: ${status}`);
  }
  expect(found.idle).toEqual([]);
  expect(found.links.size).toBeGreaterThan(10);
});

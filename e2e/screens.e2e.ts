/// <reference lib="dom" />
import { randomUUID } from 'node:crypto';
import type { ViewerSeat } from '@beltway/contracts/media/broadcast';
import type { Problem } from '@beltway/contracts/common/basics';
import type { Event } from '@beltway/contracts/catalog/events';
import type { Session } from '@beltway/contracts/identity/accounts';
import { LivestreamCategory, type LiveStream } from '@beltway/contracts/catalog/livestream';
import { expect, test } from 'vitest';
import { beyondTheEdge, coveredButtons, faultsOf, isInSight, overlap, tabTo } from './support/looks.ts';
import { queryOf } from './support/operations.ts';
import { choosePlace, codes, fillCard, fillDetails, pay, signedIn } from './support/pages.ts';
import { PATIENCE_MS, stage } from './support/stage.ts';

const here = stage({ demo: true, oneProcess: true });

const login = (who: string) =>
  here.api.call<Session>('POST', '/api/auth/login', { email: `${who}@beltway.test`, password: 'demo-beltway' });
/** An event with many tickets left that does not end during the test. */
const someEvent = async () => {
  const events = await here.api.call<Event[]>('GET', '/api/events');
  return events.find(
    ({ eventDate, ticketPrice, totalTickets, soldTickets }) =>
      Date.parse(eventDate) > Date.now() + 86_400_000 && ticketPrice && (totalTickets ?? 0) - soldTickets > 20,
  )!;
};

test('the feed and an event are accessible in both sizes and themes', async () => {
  const page = await here.visitor();
  const event = await someEvent();
  await page.goto('/');
  await page.getByRole('article').nth(3).waitFor();
  expect(await faultsOf(page), 'home').toEqual([]);

  await page.goto(`/event/${event.id}`);
  await page.getByRole('link', { name: 'Buy Tickets' }).waitFor();
  expect(await faultsOf(page), 'event').toEqual([]);
});

test.each([
  ['a phone', { width: 390, height: 844 }],
  ['a desk', { width: 1440, height: 900 }],
])('an event is in the first screen of %s', async (_name, viewport) => {
  const page = await here.visitor({ viewport });
  await page.goto('/');
  // Waits until the script has replaced the HTML's first screen, which has no footer.
  await page.getByRole('contentinfo').waitFor();
  const next = page.getByTestId('next-up');
  await next.waitFor();
  const { y, height } = (await next.boundingBox())!;
  const bar = page.getByRole('navigation', { name: 'Bottom' });
  const end = (await bar.isVisible()) ? (await bar.boundingBox())!.y : viewport.height;
  expect(y + height).toBeLessThanOrEqual(end);
});

test('while pages load, nothing moves on a phone’s first screen, and nothing violates the security policy', async () => {
  const page = await here.visitor({ viewport: { width: 412, height: 823 }, isMobile: true, deviceScaleFactor: 1.75 });
  const seen: string[] = [];
  await page.exposeFunction('note', (what: string) => void seen.push(what));
  await page.addInitScript(() => {
    const { note } = window as unknown as { note: (what: string) => void };
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries() as (PerformanceEntry & { value: number })[])
        if (value > 0.01) note(`${location.pathname} moves by ${value}`);
    }).observe({ type: 'layout-shift', buffered: true });
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      note(`${violatedDirective} refuses ${blockedURI}`),
    );
  });
  const event = await someEvent();
  for (const [path, last] of [
    ['/', page.getByRole('article').first()],
    [`/event/${event.id}`, page.getByRole('link', { name: 'Buy Tickets' })],
    [`/ticket-checkout?eventId=${event.id}`, page.getByLabel('Name on the tickets')],
    ['/auth', page.getByText('Demo accounts')],
  ] as const) {
    await page.goto(path);
    await last.waitFor();
    await page.waitForLoadState('networkidle');
  }
  expect(seen).toEqual([]);
});

test('the sample live streams of all six kinds of place have moving pictures, labeled as drawn', async () => {
  const streams = await here.api.call<LiveStream[]>('GET', '/api/live-streams');
  expect(streams.map(({ category }) => category).toSorted()).toEqual(LivestreamCategory.options.toSorted());
  for (const { id, isLive, isClip } of streams) {
    expect([isLive, isClip]).toEqual([true, true]);
    const path = `/api/live-streams/${id}/viewers/${randomUUID()}`;
    const { url } = await here.api.call<ViewerSeat>('PUT', path);
    const playlist = new URL(url, here.beltway.url);
    const names = (await (await fetch(playlist)).text()).split('\n').filter((line) => line.endsWith('.ts'));
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) {
      const segment = await fetch(new URL(name, playlist));
      expect([segment.status, segment.headers.get('content-type')]).toEqual([200, 'video/mp2t']);
      expect((await segment.arrayBuffer()).byteLength).toBeGreaterThan(5_000);
    }
  }
  const page = await here.visitor();
  await page.goto(`/event/${streams[0]!.id}`);
  await page.getByRole('button', { name: 'Watch live' }).click();
  const video = page.locator('video');
  const frames = () => video.evaluate((one: HTMLVideoElement) => one.getVideoPlaybackQuality().totalVideoFrames);
  await expect.poll(frames, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
  const before = await frames();
  await expect.poll(frames, { timeout: PATIENCE_MS }).toBeGreaterThan(before + 15);
  await page.getByText('Demo clip, not a live camera.').waitFor();
});

test('the policies, the contact form and its messages are accessible in both sizes and themes', async () => {
  const page = await here.visitor();
  for (const path of ['/privacy', '/terms', '/refunds', '/accessibility']) {
    const answered = await page.goto(path);
    expect(answered?.status(), path).toBe(200);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await faultsOf(page), path).toEqual([]);
  }
  await page.goto('/nowhere');
  await page.getByRole('region', { name: 'You might like' }).waitFor();
  expect(await faultsOf(page), 'not found').toEqual([]);
  await page.goto('/?view=calendar');
  await page.getByRole('grid').waitFor();
  expect(await faultsOf(page), 'calendar').toEqual([]);

  await page.goto('/#contact');
  const dialog = page.getByRole('dialog', { name: 'Contact Us' });
  await dialog.getByLabel('Email').fill('walker@example.test');
  await dialog.getByLabel('Comments').fill('<b>May</b> we advertise?');
  expect(await faultsOf(page), 'contact').toEqual([]);
  await dialog.getByRole('button', { name: 'Send message' }).click();
  await page.getByText('Message Sent!', { exact: true }).waitFor();

  const admin = await here.visitor();
  await signedIn(admin, await login('admin'));
  await admin.goto('/disputes');
  await admin.getByRole('heading', { name: 'All caught up' }).waitFor();
  expect(await faultsOf(admin), 'disputes').toEqual([]);
  await admin.goto('/contact-messages');
  const message = admin.getByRole('article', { name: 'From walker@example.test' });
  await message.getByText('<b>May</b> we advertise?').waitFor();
  expect(await faultsOf(admin), 'contact messages').toEqual([]);
  await message.getByRole('button', { name: 'Mark as answered' }).click();
  await admin.getByText('All caught up').waitFor();
  await admin.goto('/moderation');
  await admin.getByRole('heading', { name: 'No reports' }).waitFor();
  expect(await faultsOf(admin), 'reports').toEqual([]);
  await admin.goto('/admin/gallery');
  await admin.getByRole('heading', { level: 1, name: 'Photos' }).waitFor();
  await admin.getByRole('heading', { name: 'All caught up' }).or(admin.getByRole('article')).first().waitFor();
  expect(await faultsOf(admin), 'photos to verify').toEqual([]);
  await admin.goto('/ops');
  await admin.getByRole('article', { name: /^ticketing/ }).waitFor();
  expect(await faultsOf(admin), 'services').toEqual([]);
  for (const [tab, heading] of [
    ['dead-letters', 'All caught up'],
    ['jobs', 'No failed jobs'],
    ['invariants', 'Invariants'],
    ['history', 'History'],
    ['audit', 'Nothing yet'],
  ] as const) {
    await admin.goto(`/ops?tab=${tab}`);
    await admin.getByRole('heading', { name: heading }).waitFor();
    expect(await faultsOf(admin), tab).toEqual([]);
  }
});

test('an admin sees why jobs failed and retries them, on a phone and a desktop', async () => {
  const query = await queryOf(here.beltway.dataDir);
  const fail = (queue: string, key: string, error: string) =>
    query(
      'identity',
      `insert into jobs (queue, key, status, attempts, last_error, created_at, ended_at)
       values ($1, $2, 'failed', 20, $3, now() - interval '12 hours', now() - interval '2 hours')`,
      [queue, key, error],
    );
  const unanswered = 'Error: connect ECONNREFUSED, mail server at smtp.example.test did not answer in 60000 ms';
  await fail('contact-mail', randomUUID(), `Error: 550 <ann@example.test> ${'unknown '.repeat(30)}`);
  for (let n = 0; n < 2; n++)
    await fail('account-mail', `${'0123456789abcdef'.repeat(4)}/verify-email/${n}`, unanswered);
  const admin = await login('admin');
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    const page = await here.visitor({ viewport });
    await signedIn(page, admin);
    await page.goto('/ops?tab=jobs');
    await page.getByRole('region', { name: 'account-mail in identity' }).getByText('2 jobs').waitFor();
    expect(await page.getByText('ann@example.test').count()).toBe(0);
    if (process.env['SHOTS'])
      await page.screenshot({ path: `${process.env['SHOTS']}/${viewport.width}-jobs.png`, fullPage: true });
    expect(await faultsOf(page), `${viewport.width}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
  }
  const page = await here.visitor();
  await signedIn(page, admin);
  await page.goto('/ops?tab=jobs');
  const failed = page.getByRole('region', { name: 'account-mail in identity' });
  await failed.getByRole('button', { name: 'Run all again…' }).click();
  const dialog = page.getByRole('dialog');
  expect(await faultsOf(page), 'the question').toEqual([]);
  await dialog.getByRole('button', { name: 'Run again' }).click();
  await page.getByText('2 jobs run again', { exact: true }).waitFor();
  await page
    .getByRole('region', { name: 'contact-mail in identity' })
    .getByRole('button', { name: /^Run again: / })
    .click();
  await dialog.getByRole('button', { name: 'Run again' }).click();
  await page.getByRole('heading', { name: 'No failed jobs' }).waitFor();
  await page.goto('/ops?tab=audit');
  await page.getByText('Ran jobs again').nth(1).waitFor();
});

test('revenue, analytics and customers are accessible in both sizes and themes, as charts and tables', async () => {
  const seller = await here.visitor();
  await signedIn(seller, await login('business'));
  await seller.goto('/');
  await seller.getByRole('link', { name: 'View Customers' }).waitFor();
  expect((await seller.goto('/admin'))?.status()).toBe(200);
  await seller.getByText('Total revenue').waitFor();
  await seller.getByRole('img', { name: /^Revenue from/ }).waitFor();
  await seller.getByText('View as table').click();
  expect(await faultsOf(seller), 'revenue').toEqual([]);
  await seller.getByRole('tab', { name: 'Analytics' }).click();
  await seller.getByText('Orders started').waitFor();
  expect(await faultsOf(seller), 'analytics').toEqual([]);
  expect((await seller.goto('/customers'))?.status()).toBe(200);
  await seller.getByRole('row').nth(1).waitFor();
  expect(await faultsOf(seller), 'customers').toEqual([]);
  await seller
    .getByRole('button', { name: /^View Details/ })
    .first()
    .click();
  const dialog = seller.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'History' }).waitFor();
  expect(await faultsOf(seller), 'a customer').toEqual([]);
  await seller.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const [file] = await Promise.all([
    seller.waitForEvent('download'),
    seller.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('customers.csv');
});

test('the map is accessible in both sizes and themes, loads nothing from elsewhere, needs no WebGL, and works by keyboard', async () => {
  const page = await here.visitor();
  const strangers: string[] = [];
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(here.beltway.url).origin) strangers.push(request.url());
  });
  // A device without WebGL must also get the full map.
  await page.addInitScript(() => {
    for (const { prototype } of [HTMLCanvasElement, OffscreenCanvas]) {
      const original = prototype.getContext as (...values: unknown[]) => unknown;
      Object.assign(prototype, {
        getContext(...values: unknown[]) {
          return /webgl|webgpu/.test(String(values[0])) ? null : original.apply(this, values);
        },
      });
    }
  });
  await page.goto('/?view=map');
  const choice = page.getByRole('list', { name: 'Events on the map' }).getByRole('button');
  await choice.first().waitFor();
  await page.locator('[data-marker]').first().waitFor();
  // Metro lines and place names are shown.
  await expect.poll(() => page.locator('path.map-metro').count()).toBeGreaterThan(10);
  expect(await page.getByText('Bethesda', { exact: true }).count()).toBeGreaterThan(0);
  expect(await faultsOf(page, '#events'), 'map').toEqual([]);

  await choice.first().focus();
  await page.keyboard.press('Enter');
  await page.getByTestId('popup-description').waitFor();
  // The popup scrolls the page, and axe counts cards below the sticky header as too small: only the map is checked.
  const ofMap = ['[role="region"]', '[data-over-map]', '[aria-label="Events on the map"]'];
  expect(await faultsOf(page, ofMap.map((part) => `#events ${part}`).join()), 'map with a popup').toEqual([]);
  await page.getByRole('button', { name: 'Expand the map' }).click();
  await page.getByRole('dialog', { name: 'Map of events' }).waitFor();
  expect(await faultsOf(page), 'map in full screen').toEqual([]);
  // The first Escape closes the popup, the second the map; until then Tab stays inside.
  await page.keyboard.press('Escape');
  await page.getByTestId('popup-description').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Map of events' }).waitFor({ state: 'detached' });
  expect(strangers).toEqual([]);
});

test.each([
  ['no-preference', true],
  ['reduce', false],
] as const)('motion follows the device’s setting: %s', async (reducedMotion, moves) => {
  const page = await here.visitor({ reducedMotion });
  await page.goto('/?view=map');
  await page.locator('[data-marker]').first().waitFor();
  const motion = await page.evaluate(() => {
    const longest = (of: string) =>
      Math.max(...of.split(',').map((one) => parseFloat(one) * (/ms$/.test(one) ? 1 : 1_000)));
    const styles = [...document.querySelectorAll('body *')].map((one) => getComputedStyle(one));
    return {
      hasTransitions: styles.some((style) => longest(style.transitionDuration) > 1),
      hasAnimations: styles.some(
        ({ animationName, animationDuration }) => animationName !== 'none' && longest(animationDuration) > 1,
      ),
      mapMoves: document.querySelector('.leaflet-container.leaflet-fade-anim') !== null,
    };
  });
  expect([motion.hasTransitions, motion.mapMoves]).toEqual([moves, moves]);
  if (!moves) expect(motion.hasAnimations).toBe(false);
});

test('tonight near a place is accessible in both sizes and themes', async () => {
  const page = await here.visitor();
  await page.goto('/tonight');
  await page.getByRole('heading', { name: 'Where are you starting from?' }).waitFor();
  expect(await faultsOf(page), 'tonight, nothing chosen').toEqual([]);
  await page.getByLabel('Station or neighborhood').fill('U Street');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 2, name: /from U Street/ }).waitFor();
  expect(await faultsOf(page), 'tonight').toEqual([]);
});

test('sign-in and registration are accessible in both sizes and themes', async () => {
  const page = await here.visitor();
  await page.goto('/auth');
  await page.getByText('Demo accounts').waitFor();
  expect(await faultsOf(page), 'sign-in').toEqual([]);
  await page.getByRole('tab', { name: 'Register' }).click();
  await page.getByRole('form', { name: 'Register' }).waitFor();
  await page.getByRole('button', { name: 'Register' }).click();
  expect(await faultsOf(page), 'registration').toEqual([]);
});

test('the pages of mailed links, and the page to request a link, are accessible in both sizes and themes', async () => {
  const page = await here.visitor();
  for (const [path, button] of [
    ['/forgot-password', 'Send me a link'],
    ['/reset-password#a-link', 'Change my password'],
    ['/unsubscribe#a-link', 'Unsubscribe'],
  ] as const) {
    await page.goto('/');
    await page.goto(path);
    await page.getByRole('button', { name: button }).click();
    // Waits for the form's errors, so that the check includes them.
    await page.locator('[aria-invalid=true], [role=alert]').first().waitFor();
    expect(await faultsOf(page), path).toEqual([]);
  }
  for (const [path, link] of [
    ['/reset-password', 'Get a link'],
    ['/verify-email#a-link', 'Sign in'],
    ['/verify-email', 'Account'],
  ] as const) {
    const other = await here.visitor();
    await other.goto(path);
    await other.getByRole('main').getByRole('link', { name: link, exact: true }).waitFor();
    expect(await faultsOf(other), path).toEqual([]);
  }
});

test('buying a ticket is accessible in both sizes and themes', async () => {
  const page = await here.visitor();
  const event = await someEvent();
  await page.goto(`/ticket-checkout?eventId=${event.id}`);
  await page.getByLabel('Name on the tickets').waitFor();
  await page.getByRole('button', { name: /^Continue to payment/ }).click();
  await page.getByText('Enter a name for the tickets.').waitFor();
  expect(await faultsOf(page), 'checkout, details').toEqual([]);

  await fillDetails(page, 'Lee Looker', 'lee@example.test', 2);
  await fillCard(page, '4000000000000002');
  await pay(page);
  const notice = page.getByRole('alert').first();
  await notice.waitFor();
  expect(await notice.textContent()).toContain('You weren’t charged.');
  await expect.poll(() => notice.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await faultsOf(page), 'checkout, payment declined').toEqual([]);

  // After tabbing back on a phone, the fixed header covers neither the card number nor its label.
  await page.setViewportSize({ width: 390, height: 844 });
  await notice.focus();
  for (let presses = 0; presses < 5; presses++) await page.keyboard.press('Shift+Tab');
  const number = page.getByLabel('Card number');
  expect(await number.evaluate((one) => one === document.activeElement)).toBe(true);
  const header = (await page.getByRole('banner').boundingBox())!;
  const label = (await page.getByText('Card number', { exact: true }).boundingBox())!;
  expect(label.y).toBeGreaterThanOrEqual(header.y + header.height);

  await fillCard(page);
  await pay(page);
  await page.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();
  await expect.poll(() => codes(page).count()).toBe(2);
  // The whole code is on a phone's first screen, above the bottom bar.
  const code = (await codes(page).first().boundingBox())!;
  const bar = (await page.getByRole('navigation', { name: 'Bottom' }).boundingBox())!;
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  expect(code.width).toBeGreaterThanOrEqual(200);
  expect(code.y + code.height).toBeLessThanOrEqual(bar.y);
  expect(await faultsOf(page), 'success').toEqual([]);
});

test('signed-in pages are accessible in both sizes and themes', async () => {
  const explorer = await here.visitor();
  await signedIn(explorer, await login('explorer'));
  await explorer.goto('/my-tickets');
  await expect.poll(() => codes(explorer).count()).toBeGreaterThan(0);
  expect(await faultsOf(explorer), 'my tickets').toEqual([]);
  for (const [path, title] of [
    ['/saved', 'Nothing saved yet'],
    ['/following', 'You’re not following anyone yet'],
    ['/account', 'Your data'],
    ['/gallery', 'Gallery'],
    ['/community', 'Community'],
    ['/community/questions', 'Questions'],
    ['/moderation/mine', 'Moderation decisions'],
  ] as const) {
    await explorer.goto(path);
    await explorer.getByRole('heading', { name: title, exact: true }).waitFor();
    expect(await faultsOf(explorer), path).toEqual([]);
  }
  await explorer.getByRole('button', { name: /notification/i }).click();
  const bell = explorer.getByRole('dialog', { name: 'Notifications' });
  await bell
    .getByRole('link')
    .or(bell.getByRole('heading', { name: 'Nothing yet' }))
    .first()
    .waitFor();
  expect(await faultsOf(explorer), 'notifications').toEqual([]);
  await explorer.goto(`/event/${(await someEvent()).id}`);
  await explorer.locator('a[href^="/organizer/"]').first().click();
  await explorer.waitForURL(/\/organizer\/\d+$/);
  await explorer.getByRole('article').first().waitFor();
  expect(await faultsOf(explorer), 'organizer').toEqual([]);

  const business = await here.visitor({ viewport: { width: 1440, height: 900 } });
  await signedIn(business, await login('business'));
  await business.goto('/');
  await business.getByRole('button', { name: 'Dashboard' }).click();
  await business.getByText('Tickets sold', { exact: true }).waitFor();
  expect(await faultsOf(business), 'dashboard').toEqual([]);
  await business.goto('/dashboard');
  await business.getByRole('article').first().waitFor();
  expect(await faultsOf(business), 'own events').toEqual([]);
  await business
    .getByRole('button', { name: /^Promote / })
    .first()
    .click();
  const promote = business.getByRole('dialog', { name: 'Promote your event' });
  const choose = promote.getByRole('link', { name: 'Choose Premium' });
  await choose.waitFor();
  expect(await faultsOf(business), 'packages of promotion').toEqual([]);
  await choose.click();
  await business.getByRole('button', { name: 'Promote Event - $49.99' }).waitFor();
  expect(await faultsOf(business), 'checkout of a promotion').toEqual([]);
  await business.goto('/checkout');
  await business.getByRole('list', { name: 'Your events' }).waitFor();
  expect(await faultsOf(business), 'promotion, choosing an event').toEqual([]);
  await business.goto('/livestream-checkout');
  // The first events already have live streams, and tonight's may be over.
  await business.getByRole('button', { name: 'Show more' }).click();
  await business
    .getByRole('list', { name: 'Your events' })
    .getByRole('link', { name: /Stand-Up Underground/ })
    .click();
  await business.getByRole('button', { name: 'Configure Livestream First' }).waitFor();
  expect(await faultsOf(business), 'live stream, to configure').toEqual([]);
  await business.getByRole('button', { name: 'Save setup' }).click();
  await business.getByRole('button', { name: 'Start Livestream Event - $99.99' }).waitFor();
  expect(await faultsOf(business), 'live stream, to pay').toEqual([]);
  const event = await someEvent();
  await business.goto(`/dashboard/events/${event.id}`);
  await business.getByRole('button', { name: 'Download all as CSV' }).waitFor();
  expect(await faultsOf(business), 'attendees').toEqual([]);

  await business.setViewportSize({ width: 1440, height: 900 });
  await business.goto('/');
  await business.getByRole('button', { name: 'Launch My Event' }).first().click();
  const dialog = business.getByRole('dialog', { name: 'Add New Event' });
  await dialog.getByRole('switch', { name: 'Sell tickets' }).click();
  await dialog.getByRole('button', { name: 'Launch event' }).click();
  await dialog.getByText('* Event date is required').waitFor();
  await dialog.getByLabel('Event date').click();
  expect(await faultsOf(business), 'launch').toEqual([]);
});

test('an event is launched on a phone: no control is covered, no input is lost, and the event’s photo is shown', async () => {
  const page = await here.visitor({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  await page.goto('/');
  await page.setViewportSize({ width: 2000, height: 1250 });
  await page.getByRole('article').first().waitFor();
  const picture = await page.screenshot();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('navigation', { name: 'Bottom' }).getByRole('button', { name: 'Sell Tickets' }).click();
  await page.getByText('Sign in or create an account to launch your event.').waitFor();
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('Email').fill('business@beltway.test');
  await form.getByLabel('Password', { exact: true }).fill('demo-beltway');
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();

  const dialog = page.getByRole('dialog', { name: 'Add New Event' });
  // Exact only for the title, because the preview's buttons contain the title in their names.
  const field = (name: string) => dialog.getByLabel(name, { exact: name === 'Event title' });
  const press = (name: string) => dialog.getByRole('button', { name }).click();
  const toast = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');
  await dialog.getByRole('switch', { name: 'Sell tickets' }).click();
  await press('Launch event');
  await toast.getByText('Missing Required Information').waitFor();
  await toast.hover(); // it stays while a mouse is on it
  for (const name of ['Launch event', 'Cancel', 'Close'])
    expect(await overlap(toast, dialog.getByRole('button', { name })), `toast and ${name}`).toBe(0);
  expect(await field('Event title').evaluate((input) => input === document.activeElement)).toBe(true);

  await field('Event title').fill('Photo Night');
  await field('Event description').fill('Bring a camera.');
  await field('Event photo').setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: picture });
  const preview = dialog.getByAltText('Preview of your event photo');
  // The form scales the photo down, so that neither the upload nor the draft exceeds the media service's limit.
  const widthOf = (image: typeof preview) => image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth);
  await expect.poll(() => widthOf(preview)).toBe(1600);
  await page.reload();
  await dialog.getByText('We saved your draft.').waitFor();
  expect(await field('Event title').inputValue()).toBe('Photo Night');
  await page.goBack();
  await dialog.waitFor({ state: 'hidden' });
  await page.goForward();
  await preview.waitFor();

  await field('Event date').click();
  await press('Next month');
  await dialog.getByRole('gridcell').getByRole('button').filter({ hasText: /^15$/ }).click();
  await choosePlace(page, 'Shaw, Washington, DC');
  await press('#art');
  await field('Total tickets').fill('10');
  await field('Ticket price in $').fill('0.10');
  await press('Launch event');
  const fault = dialog.getByText(/^Ticket prices start at/).first();
  await fault.waitFor();
  await expect.poll(() => isInSight(fault), { message: 'the error is not behind the buttons' }).toBe(true);
  await field('Ticket price in $').fill('12.50');
  await press('Launch event');

  await toast.getByText('Event Created!').waitFor();
  await toast.hover(); // it stays while a mouse is on it
  await page.waitForURL(/\/event\/\d+$/);
  await page.getByRole('region', { name: /Your event is live/ }).waitFor();
  await page.getByRole('heading', { name: 'Photo Night' }).waitFor();
  expect(await overlap(toast, page.getByRole('link', { name: 'Buy Tickets' })), 'toast and Buy Tickets').toBe(0);
  expect(await faultsOf(page), 'launched').toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/?q=photo+night');
  const card = page.getByRole('article').filter({ hasText: 'Photo Night' });
  await card.locator('img').scrollIntoViewIfNeeded();
  await expect.poll(() => widthOf(card.locator('img'))).toBeGreaterThan(0);
  expect(await card.locator('img').evaluate((image) => (image as HTMLImageElement).currentSrc)).toMatch(
    /\/media\/images\/[0-9a-f]{64}-[0-9a-f]{6}-(small|medium|large)\.webp$/,
  );
});

test('a toast about signing in covers no control of the form, on a phone and on a desktop', async () => {
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    const page = await here.visitor({ viewport, reducedMotion: 'reduce' });
    await page.goto('/auth');
    const form = page.getByRole('form', { name: 'Sign in' });
    await form.getByLabel('Email').fill('nobody@example.test');
    await form.getByLabel('Password', { exact: true }).fill('not the password');
    await form.getByRole('button', { name: 'Sign in', exact: true }).click();
    const toast = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');
    await toast.getByText('Invalid email or password.').waitFor();
    await toast.hover(); // it stays while a mouse is on it
    for (const control of [
      form.getByLabel('Email'),
      form.getByLabel('Password', { exact: true }),
      form.getByRole('button', { name: 'Sign in', exact: true }),
      page.getByRole('tab', { name: 'Register' }),
    ])
      expect(await overlap(toast, control), `at ${viewport.width}`).toBe(0);
  }
});

test('the launch dialog is usable at 320 pixels, and zoomed to 200 % on a phone', async () => {
  for (const viewport of [
    { width: 320, height: 568 },
    { width: 195, height: 422 },
  ]) {
    const page = await here.visitor({ viewport, reducedMotion: 'reduce' });
    await signedIn(page, await login('business'));
    await page.goto('/#launch');
    const dialog = page.getByRole('dialog', { name: 'Add New Event' });
    await dialog.getByLabel('Event date').click();
    await dialog.getByRole('gridcell').last().scrollIntoViewIfNeeded();
    const wide = await dialog.evaluate((panel) =>
      [panel, ...panel.querySelectorAll('*')]
        .filter((part) => /auto|scroll/.test(getComputedStyle(part).overflowY) && part.tagName !== 'TEXTAREA')
        .map((part) => part.scrollWidth - part.clientWidth),
    );
    expect(Math.max(...wide), `at ${viewport.width}`).toBe(0);
    await dialog.getByLabel('Contact email').fill('ann@example.test');
    await dialog.getByRole('button', { name: 'Launch event' }).click();
    await dialog.getByText('Add a title.').waitFor();
    await expect.poll(() => isInSight(dialog.getByText('Add a title.'))).toBe(true);
    const beside = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(beside, `page at ${viewport.width}`).toBe(0);
  }
});

test('a toast covers no button of the launch dialog, on a phone and on a desktop', async () => {
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    const page = await here.visitor({ viewport, reducedMotion: 'reduce' });
    await signedIn(page, await login('business'));
    await page.goto('/#launch');
    const dialog = page.getByRole('dialog', { name: 'Add New Event' });
    const toast = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');
    await dialog.getByRole('button', { name: 'Launch event' }).click();
    await toast.getByText('Missing Required Information').waitFor();
    expect(await coveredButtons(dialog, toast), `asked for what is missing, at ${viewport.width}`).toEqual([]);
    const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
    await dialog.getByLabel('Event photo').setInputFiles(notes);
    await toast.getByText('Invalid File Type').waitFor();
    await toast.hover(); // it stays while a mouse is on it
    // Scroll to each button while the toast is shown.
    for (const name of ['Close', 'Upload a photo', '#free', 'Add', 'Cancel', 'Launch event']) {
      const button = dialog.getByRole('button', { name, exact: true });
      await button.scrollIntoViewIfNeeded();
      expect(await coveredButtons(dialog, toast), `${name} in sight, at ${viewport.width}`).toEqual([]);
      expect(await overlap(toast, button), `toast and ${name}, at ${viewport.width}`).toBe(0);
    }
  }
});

test('on a phone zoomed to 200 %, nothing overflows from the event to its tickets', async () => {
  const event = await someEvent();
  const page = await here.visitor({ viewport: { width: 195, height: 422 }, reducedMotion: 'reduce' });
  const fits = async (what: string) => {
    expect(await beyondTheEdge(page), what).toEqual([]);
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
    expect(scrollWidth, what).toBe(clientWidth);
  };
  await page.goto(`/event/${event.id}`);
  await page.getByRole('link', { name: 'Buy Tickets' }).click();
  await page.getByLabel('Name on the tickets').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Buy Tickets' }).waitFor();
  await fits('event');
  await page.goto(`/ticket-checkout?eventId=${event.id}`);
  await page.getByLabel('Name on the tickets').waitFor();
  await page.getByRole('button', { name: /^Continue to payment/ }).click();
  await page.getByText('Enter a name for the tickets.').waitFor();
  await fits('checkout, details');
  await fillDetails(page, 'Maximiliana Featherstonehaugh', 'maximiliana.featherstonehaugh@example.test', 2);
  await fits('checkout, payment');
  // The bar with the button does not cover the form.
  const position = (name: RegExp) =>
    page.getByRole('button', { name }).evaluate((button) => getComputedStyle(button.parentElement!).position);
  expect(await position(/^Pay \$/)).toBe('static');
  await fillCard(page, '4000000000000002');
  await pay(page);
  await page.getByRole('alert').first().waitFor();
  await fits('checkout, payment declined');
  await fillCard(page);
  await pay(page);
  await page.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();
  await expect.poll(() => codes(page).count()).toBe(2);
  await fits('tickets');
  await page
    .getByRole('button', { name: /Larger$/ })
    .first()
    .click();
  await page.getByRole('dialog', { name: 'Ticket 1 of 2' }).waitFor();
  await fits('one ticket');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Save to an account' }).click();
  await page.getByRole('form', { name: 'Register' }).waitFor();
  await fits('registration');
  await page.getByRole('navigation', { name: 'Bottom' }).getByRole('link', { name: 'Home' }).click();
  await page.getByRole('article').first().waitFor();
  await page.getByRole('region', { name: 'Live streams' }).waitFor();
  await fits('home');
});

test('on a phone zoomed to 200 %, nothing on the account page overflows', async () => {
  const page = await here.visitor({ viewport: { width: 195, height: 422 }, reducedMotion: 'reduce' });
  await signedIn(page, await here.api.register('Maximiliana Featherstonehaugh-Wolfeschlegelstein', 'business'));
  await page.goto('/account');
  for (const name of ['Turn on codes', 'Download my data', 'Delete my account', 'Add a passkey'])
    await page.getByRole('button', { name }).waitFor();
  await page.getByRole('switch', { name: 'Show my profile' }).waitFor();
  expect(await beyondTheEdge(page)).toEqual([]);
});

test('a printed order has its codes, details and receipt, in light colors, and nothing to press', async () => {
  const { orderId, accessKey } = await here.api.buy((await someEvent()).id, 2);
  const page = await here.visitor({ viewport: { width: 718, height: 1_000 } });
  await page.goto(`/ticket-success?orderId=${orderId}#key=${accessKey}`);
  await expect.poll(() => codes(page).count(), { timeout: PATIENCE_MS }).toBe(2);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const code of await codes(page).all()) expect(await code.isVisible()).toBe(true);
  await page.getByText('Total paid').waitFor();
  await page.getByText('Holder', { exact: true }).first().waitFor();
  for (const name of ['Add to calendar', 'Send to a friend', 'Cancel tickets', 'Print the receipt', 'Get a new link'])
    expect(await page.getByText(name).first().isVisible(), name).toBe(false);
  expect(await page.getByRole('banner').isVisible()).toBe(false);
  expect(await page.getByRole('navigation').first().isVisible()).toBe(false);
  const ink = await page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d')!;
    canvas.fillStyle = getComputedStyle(document.body).color;
    canvas.fillRect(0, 0, 1, 1);
    return Math.max(...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3));
  });
  expect(ink, 'dark on paper').toBeLessThan(80);
});

test('unknown paths respond with 404, for people and for programs', async () => {
  const page = await here.visitor();
  expect((await page.goto('/no/such/page'))?.status()).toBe(404);
  await page.getByRole('heading', { name: 'You missed the exit' }).waitFor();
  expect(await faultsOf(page), '404').toEqual([]);
  expect((await page.goto('/event/999999'))?.status()).toBe(404);
  await page.getByRole('heading', { name: 'Event Not Found' }).waitFor();
  for (const path of ['/api/no-such-call', '/internal/payments', '/media/none.webp', '/api/events/999999']) {
    const answer = await here.api.ask<Problem>('GET', path);
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      404,
      'application/problem+json; charset=utf-8',
    ]);
    expect(answer.body).toMatchObject({ status: 404, code: 'not-found' });
  }
});

test('a ticket can be found, bought and shown by keyboard alone', async () => {
  const event = await someEvent();
  const page = await here.visitor({ viewport: { width: 1440, height: 900 } });
  const { keyboard } = page;
  await page.goto('/');
  await page.getByRole('article').nth(3).waitFor();
  await tabTo(page, /^Skip to content$/);
  await tabTo(page, /^Search events$/);
  await keyboard.type(event.title);
  await page.getByText(/^1 event$/).waitFor();
  await tabTo(page, event.title);
  await keyboard.press('Enter');
  await page.waitForURL(`**/event/${event.id}`);
  await page.getByRole('link', { name: 'Buy Tickets', exact: true }).waitFor();
  await tabTo(page, /^Buy Tickets$/);
  await keyboard.press('Enter');
  await page.getByLabel('Name on the tickets').waitFor();
  await tabTo(page, /^Number of tickets$/);
  await keyboard.press('ArrowUp');
  await tabTo(page, /^Name on the tickets/);
  await keyboard.type('Kay Board');
  await tabTo(page, /^Email/);
  await keyboard.type('kay@example.test');
  await tabTo(page, /^Continue to payment/);
  await keyboard.press('Enter');
  await page.getByLabel('Card number').waitFor();
  await tabTo(page, /^Card number/);
  await keyboard.type('4242424242424242');
  await keyboard.type('1234');
  await keyboard.type('123');
  await tabTo(page, /^Pay \$/);
  await keyboard.press('Space');
  await page.getByText('Tickets Purchased Successfully!', { exact: true }).first().waitFor();
  await page.getByRole('heading', { name: 'Your 2 tickets are here' }).waitFor();
  await expect.poll(() => codes(page).count()).toBe(2);
  await tabTo(page, /larger|enlarge/i);
  await keyboard.press('Enter');
  // Escape closes what opened last: the dialog (once it has the focus), not the earlier toast.
  await page.getByRole('dialog', { name: 'Ticket 1 of 2' }).locator(':focus').waitFor();
  await keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
});

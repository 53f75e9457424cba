import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anEvent } from '@beltway/contracts/testing/events';
import { eventHead, homeHead, organizerHead, withHead } from './head.ts';

const SITE = {
  url: 'https://beltway.example',
  texts: {
    en: {
      siteTitle: 'Beltway: what’s on around DC, Maryland and Virginia',
      pictureOf: 'Photo of {title}',
      nameless: 'An organizer',
    },
    es: { siteTitle: 'Beltway: qué hay', pictureOf: 'Imagen de {title}', nameless: 'Quien organiza' },
  },
};
const HOSTILE = [
  '</title><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  `' onmouseover='alert(1)`,
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '&lt;script&gt;',
  "$& $1 $` $' $$",
  '\u2028\u2029\0\ud800',
];

/** The tag names in a head, in lower case. */
const tagsOf = (head: string) => [...head.matchAll(/<\/?([a-z!-]+)/gi)].map(([, name]) => name!.toLowerCase());
const facts = (head: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(head)![1]!) as Record<string, unknown>;

describe('text of an organizer never leaves its element or attribute', () => {
  test.each(HOSTILE)('%j', (text) => {
    const plain = eventHead(anEvent(), SITE);
    const head = eventHead(anEvent({ title: text, description: text, location: text }), SITE);
    expect(tagsOf(head)).toEqual(tagsOf(plain));
    expect(facts(head)).toMatchObject({ name: text, description: text });
    const page = withHead('<html><head><title>Beltway</title></head><body></body></html>', head);
    expect(page).toContain(head);
    expect(page.startsWith('<html><head><title>')).toBe(true);
    expect(page.endsWith('</head><body></body></html>')).toBe(true);
  });

  test('for any text', () => {
    const wild = fc.string({
      unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '-', '!', '\\', '$', 'script', 'title', ' ', '\n', '=', 'a'),
    });
    fc.assert(
      fc.property(wild, wild, (title, description) => {
        const head = eventHead(anEvent({ title, description: `a${description}` }), SITE);
        expect(tagsOf(head)).toEqual(tagsOf(eventHead(anEvent({ title: title && 'a' }), SITE)));
        for (const value of head.matchAll(/content="([^"]*)"/g)) expect(value[1]).not.toMatch(/[<>']/);
      }),
    );
  });
});

test('contains title, picture, time, price and availability', () => {
  const head = eventHead(
    anEvent({ imageUrl: '/media/images/a-large.webp', eventEndTime: '01:30', totalTickets: 10, soldTickets: 10 }),
    SITE,
  );
  expect(head).toMatch(
    /<meta property="og:image" content="https:\/\/beltway\.example\/media\/posters\/7-[0-9a-f]+-share\.jpg" \/>/,
  );
  expect(head).toContain('<link rel="canonical" href="https://beltway.example/event/7" />');
  expect(head).toContain('content="summary_large_image"');
  expect(facts(head)).toMatchObject({
    '@type': 'Event',
    startDate: '2030-06-01T19:00:00-04:00',
    endDate: '2030-06-02T01:30:00-04:00',
    image: ['https://beltway.example/media/images/a-large.webp'],
    eventStatus: 'https://schema.org/EventScheduled',
    offers: { price: '25.00', priceCurrency: 'USD', availability: 'https://schema.org/SoldOut' },
  });
});

test.each([
  ['a price and tickets left', {}, 'InStock'],
  ['every ticket sold', { totalTickets: 10, soldTickets: 10 }, 'SoldOut'],
  ['sales that have not started', { ticketSalesStartTime: '2030-05-20T12:00:00.000Z' }, 'PreOrder'],
  ['sales that ended', { ticketSalesEndTime: '2030-05-02T12:00:00.000Z' }, 'OutOfStock'],
  ['sales paused', { ticketSalesEnabled: false }, 'OutOfStock'],
  ['a cancellation', { status: 'canceled' as const }, 'OutOfStock'],
  ['no date for now', { status: 'postponed' as const }, 'OutOfStock'],
  ['a suspension', { isSuspended: true as const }, 'OutOfStock'],
  ['an end in the past', { eventDate: '2030-05-01T04:00:00.000Z' }, 'OutOfStock'],
])('for an event with %s the head has the right availability', (_what, change, availability) => {
  const head = eventHead(anEvent(change), SITE, new Date('2030-05-10T12:00:00Z'));
  expect(facts(head)).toMatchObject({ offers: { availability: `https://schema.org/${availability}` } });
});

test('every page has a JPEG of 1200×630, and its size, type and alternative text', () => {
  const name = `${'ab'.repeat(32)}-445566`;
  const metas = (head: string) =>
    Object.fromEntries(
      [...head.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)"/g)].map(([, a, b]) => [a, b]),
    );
  const same = { 'og:image:type': 'image/jpeg', 'og:image:width': '1200', 'og:image:height': '630' };
  const event = metas(eventHead(anEvent({ title: 'Jazz', imageUrl: `/media/images/${name}-large.webp` }), SITE));
  expect(event).toMatchObject({
    ...same,
    'og:image': `https://beltway.example/media/images/${name}-share.jpg`,
    'og:image:alt': 'Photo of Jazz',
    'twitter:image:alt': 'Photo of Jazz',
    'twitter:card': 'summary_large_image',
  });
  // The size of a picture on another site is not known.
  const elsewhere = metas(eventHead(anEvent({ imageUrl: 'https://pictures.example/a.png' }), SITE));
  expect(elsewhere['og:image']).toMatch(/^https:\/\/beltway\.example\/media\/posters\/7-[0-9a-f]+-share\.jpg$/);
  for (const head of [homeHead(SITE), organizerHead({ id: 3, name: 'Ann' } as never, SITE)])
    expect(metas(head)).toMatchObject({
      ...same,
      'og:image': 'https://beltway.example/media/posters/site-1-share.jpg',
      'og:image:alt': 'Beltway: what’s on around DC, Maryland and Virginia',
    });
});

test('names the organizer and the place', () => {
  const place = { name: 'The Wharf', lat: 38.88, lon: -77.02, state: 'DC' as const };
  expect(facts(eventHead(anEvent({ organizerName: '</script>Ann', place }), SITE))).toMatchObject({
    organizer: { name: '</script>Ann', url: 'https://beltway.example/organizer/3' },
    location: { geo: { latitude: 38.88, longitude: -77.02 } },
  });
});

test('an event whose only known location is Washington has no coordinates', () => {
  const place = { name: 'Washington', lat: 38.9, lon: -77.04, state: 'DC' as const, isApproximate: true };
  expect(facts(eventHead(anEvent({ place }), SITE))).toMatchObject({ location: { '@type': 'Place' } });
  expect(facts(eventHead(anEvent({ place }), SITE))).not.toHaveProperty('location.geo');
});

test('the home page keeps its built title', () => {
  const html = withHead('<head><title>Beltway</title><meta name="description" content="x" /></head>', homeHead(SITE));
  expect(html).toMatch(/^<head><title>Beltway<\/title>\n/);
  expect(html).toContain('content="x"');
  expect(html).toContain('<link rel="canonical" href="https://beltway.example/" />');
});

test('a suspended event is hidden from search engines', () => {
  expect(eventHead(anEvent({ isSuspended: true }), SITE)).toContain('<meta name="robots" content="noindex" />');
  expect(eventHead(anEvent(), SITE)).not.toContain('noindex');
});

test('leaves out the parts that an event does not have', () => {
  const head = eventHead(anEvent({ hasTickets: false, imageUrl: 'http://[', status: 'canceled' }), SITE);
  expect(head).toContain('/media/posters/7-');
  expect(facts(head)).not.toHaveProperty('offers');
  expect(facts(head)).toMatchObject({ eventStatus: 'https://schema.org/EventCancelled' });
  expect(facts(eventHead(anEvent({ status: 'postponed' }), SITE))).toMatchObject({
    eventStatus: 'https://schema.org/EventPostponed',
  });
});

test('in a head a description has no markup, and an exact address replaces the location', () => {
  const description = '- See [the form](https://example.com/form)';
  const head = eventHead(anEvent({ description, address: '815 V St NW' }), SITE);
  expect(head).toContain('<meta name="description" content="- See the form" />');
  expect(facts(head)).toMatchObject({
    description: '- See the form',
    location: { name: 'The Wharf, DC', address: '815 V St NW, The Wharf, DC' },
  });
});

test('a long description is not cut inside a character', () => {
  const description = `${'a'.repeat(198)}👩🏽‍🍳 and on it goes`;
  expect(/name="description" content="([^"]*)"/.exec(eventHead(anEvent({ description }), SITE))![1]).toBe(
    `${'a'.repeat(198)}👩🏽‍🍳…`,
  );
});

test('replaces the title and description of the built page', () => {
  const page =
    '<head><title>Old</title>\n    <meta\n      name="description"\n      content="Old."\n    />\n    <meta name="theme-color" content="#fff" /></head>';
  const html = withHead(page, eventHead(anEvent(), SITE));
  expect(html).not.toContain('Old');
  expect(html).toContain('theme-color');
});

test('the description of an organizer’s page is the organizer’s own text, escaped', () => {
  const head = organizerHead({ id: 3, name: 'Ann', about: 'Jazz & "more"' } as never, SITE);
  expect(head).toContain('content="Jazz &#38; &#34;more&#34;"');
});

test('an organizer without a name gets a placeholder, in each language', () => {
  const nameless = { ...{ id: 5, name: null, followers: 0, about: '', links: [] }, pictureUrl: null, coverUrl: null };
  const [en, es] = [organizerHead(nameless, SITE), organizerHead(nameless, SITE, 'es')];
  expect(en).toContain('<title>An organizer · Beltway</title>');
  expect(en).toContain('content="Events by An organizer around Washington DC, Maryland and Virginia: dates');
  expect(es).toContain('<title>Quien organiza · Beltway</title>');
  expect(es).toContain('content="Eventos en Washington DC, Maryland y Virginia: fechas, lugares, boletos."');
});

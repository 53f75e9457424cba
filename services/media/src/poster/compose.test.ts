import { expect, test } from 'vitest';
import { posterVersion, type PosterEvent } from '@beltway/contracts/media/images';
import { posterGround } from '@beltway/contracts/media/poster-ground';
import { loadSharp } from '../workers/sharp.ts';
import { composePoster } from './compose.ts';
import { fit } from './fit.ts';
import { renderPoster } from './render.ts';
import { loadTypeface } from './typeface.ts';
import { datesOf, whenOf } from './when.ts';

const event: PosterEvent = {
  id: 42,
  title: 'Jazz in the Garden',
  location: 'Sculpture Garden',
  eventDate: '2027-05-28T04:00:00.000Z',
  eventStartTime: '17:00',
  tags: ['#music'],
};
const box = { width: 1152, height: 360, largest: 176, smallest: 54, leading: 0.94, tracking: -0.028, maxLines: 4 };

test('draws the same poster for the same event, and a different poster for another event', async () => {
  const draw = (change: Partial<PosterEvent> = {}) => renderPoster({ ...event, ...change }, 'small');
  const [once, again, other] = await Promise.all([draw(), draw(), draw({ id: 43 })]);
  expect(once.equals(again)).toBe(true);
  expect(once.equals(other)).toBe(false);
});

test.for([
  ['large', 1280, 800],
  ['medium', 960, 600],
  ['small', 640, 400],
] as const)('is 16:10, %s', async ([size, width, height]) => {
  const poster = (await loadSharp())(await renderPoster(event, size));
  expect(await poster.metadata()).toMatchObject({ format: 'webp', width, height, hasAlpha: false });
});

test('draws a plain poster without text, which is the same whatever the title is', async () => {
  const plain = (change: Partial<PosterEvent>) => composePoster({ ...event, ...change }, 'plain');
  const [one, retitled, other, titled] = await Promise.all([
    plain({}),
    plain({ title: 'Another title', location: 'Elsewhere', eventStartTime: '23:00' }),
    plain({ id: 43 }),
    composePoster(event),
  ]);
  expect(retitled).toBe(one);
  expect(other).not.toBe(one);
  expect(one.length).toBeLessThan(titled.length);
});

test('draws many events without an invalid number', async () => {
  for (let id = 1; id <= 120; id++) {
    const svg = await composePoster({
      ...event,
      id,
      title: id % 2 ? 'Trivia' : 'A title that needs a good deal more room than others do',
    });
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  }
});

test('turns typed text into outlines only', async () => {
  const svg = await composePoster({
    ...event,
    title: '</svg><script>alert(1)</script>',
    location: '"><image href="file:///etc/passwd"/>',
  });
  expect(svg).not.toMatch(/script|passwd|<text|href/);
});

test.for([
  ['Fête de la Musique 🎉🎶', 'Fête de la Musique'],
  ['🎉 Party 🎉 — ', 'Party'],
  ['Đêm nhạc Việt Nam', 'Đêm nhạc Việt Nam'],
  ['Cafe\u0301  con\nleche', 'Café con leche'],
  ['ＦＵＬＬ ｗｉｄｔｈ', 'FULL width'],
  ['🎉🎊', ''],
  ['夏祭り (Summer Festival)', '夏祭り (Summer Festival)'],
  ['ערב ג׳אז 🎷', 'ערב ג׳אז'],
  ['مرحبا، أهلا', 'مرحبا، أهلا'],
  [`Z${'\u0335\u0316'.repeat(50)}algo`, 'Zalgo'],
  ['\u202eevil\u0000', 'evil'],
  ['👨‍👩‍👧 Family day', 'Family day'],
])('cleans %j to %j', async ([title, clean]) => expect((await loadTypeface(800)).clean(title ?? '')).toBe(clean));

test('draws the day large when no font has the title’s letters', async () => {
  const paths = async (title: string) =>
    new Set((await composePoster({ ...event, title })).match(/<path d="[^"]+" fill="#\w+"\/>/g));
  const [wordless, day, other] = await Promise.all([paths('🎉'), paths('Fri, May 28'), paths('Trivia')]);
  expect([...wordless].filter((path) => day.has(path) && !other.has(path))).toHaveLength(1);
});

test('sets one word as large as possible, and keeps every line inside', async () => {
  const face = await loadTypeface(800);
  expect(fit(face, 'Blossom', box)).toMatchObject({ lines: ['Blossom'], size: 176 });
  for (const title of [
    'Half-Smoke & Mumbo Sauce Festival',
    'W'.repeat(200),
    'a '.repeat(100).trim(),
    'Donaudampfschifffahrtsgesellschaftskapitän',
  ]) {
    const { lines, size, leading } = fit(face, title, box);
    for (const line of lines) expect(face.width(line, size, box.tracking)).toBeLessThanOrEqual(box.width);
    expect((lines.length - 1) * leading + size).toBeLessThanOrEqual(box.height);
  }
});

test.each([
  'ערב ג׳אז עם The Roots 2030',
  'أمسية الموسيقى العربية',
  'เทศกาลสงกรานต์',
  '北京烤鸭之夜',
  '한인 축제',
  'Хор Ελλάδα',
])('draws a title in other letters: %s', async (title) => {
  const face = await loadTypeface(800);
  expect(face.clean(title)).toBe(title);
  const svg = await composePoster({ ...event, title, location: title });
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  for (const long of [title.repeat(12), title.replaceAll(' ', '').repeat(12)]) {
    const { lines, size, leading } = fit(face, long, box);
    for (const line of lines) expect(face.width(line, size, box.tracking)).toBeLessThanOrEqual(box.width);
    expect((lines.length - 1) * leading + size).toBeLessThanOrEqual(box.height);
  }
  const [drawn, again] = [face.outline(title, 0, 0, 100), face.outline(title.slice(1), 0, 0, 100)];
  expect(drawn.length).toBeGreaterThan(again.length);
});

test('breaks lines evenly', async () => {
  const { lines } = fit(await loadTypeface(800), 'The Capital Book Fair', box);
  expect(lines).toEqual(['The Capital', 'Book Fair']);
});

test('cuts what is too long with an ellipsis', async () => {
  const { lines } = fit(await loadTypeface(800), 'Community cleanup of the Anacostia '.repeat(8).trim(), box);
  expect(lines.length).toBe(4);
  expect(lines[3]).toMatch(/\S…$/);
});

test('sets a word too long for any line smaller, and breaks it only if necessary', async () => {
  const face = await loadTypeface(800);
  expect(fit(face, 'Donaudampfschifffahrtsgesellschaftskapitän', box).lines).toHaveLength(1);
  const { lines } = fit(face, 'W'.repeat(60), box);
  expect(lines[0]).toMatch(/^W+-$/);
});

test('shows the day in Washington', () => {
  expect(whenOf(event)).toEqual({ weekday: 'Fri', day: 'May 28', time: '5 PM' });
  expect(whenOf({ eventDate: '2027-05-28T02:30:00.000Z', eventStartTime: '22:30' })).toEqual({
    weekday: 'Thu',
    day: 'May 27',
    time: '10:30 PM',
  });
  expect(whenOf({ eventDate: '2027-05-28T00:00:00.000Z', eventStartTime: '00:00' })).toEqual({
    weekday: 'Fri',
    day: 'May 28',
    time: '12 AM',
  });
});

test('uses the same background color as the placeholder in the frontend', async () => {
  for (let id = 1; id <= 40; id++) {
    const one = { ...event, id, tags: [['#music'], ['#food'], ['#family'], []][id % 4]! };
    for (const look of ['plain', 'titled'] as const) {
      const [sheet] = /<(rect|path) [^>]*>/.exec(await composePoster(one, look))!;
      expect(sheet).toContain(`"${posterGround(one)}"`);
    }
  }
});

test('the poster of an event of several days shows the first and last day and has another URL; other URLs are unchanged', async () => {
  const festival = { ...event, eventLastDate: '2027-05-30T04:00:00.000Z' };
  expect(datesOf(event)).toBe('Fri, May 28');
  expect(datesOf(festival)).toBe('Fri, May 28 – Sun, May 30');
  expect(posterVersion({ ...event, eventLastDate: null })).toBe(posterVersion(event));
  expect(posterVersion(festival)).not.toBe(posterVersion(event));
  expect(posterVersion({ ...festival, eventLastDate: new Date(festival.eventLastDate) })).toBe(posterVersion(festival));
  expect(await composePoster({ ...event, eventLastDate: null })).toBe(await composePoster(event));
  expect(await composePoster(festival)).not.toBe(await composePoster(event));
});

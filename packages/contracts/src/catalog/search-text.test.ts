import { expect, test } from 'vitest';
import { dayRange, todayRange, tomorrowRange, tonightRange, weekendRange, weekRange } from '../common/day-ranges.ts';
import { filtersInText, readSearchText, withoutFilter } from './search-text.ts';

const now = new Date('2026-12-01T17:00:00Z');
const nothing = { free: false, maxPriceCents: null, range: null };

test.each([
  ['free jazz tonight', { words: 'jazz', free: true, range: tonightRange(now) }],
  ['Jazz this weekend', { words: 'Jazz', range: weekendRange(now) }],
  ['this evening, jazz', { words: 'jazz', range: tonightRange(now) }],
  ['brunch tomorrow!', { words: 'brunch', range: tomorrowRange(now) }],
  ['FREE', { words: '', free: true }],
  ['free entry yoga today', { words: 'yoga', free: true, range: todayRange(now) }],
  ['comedy under $20', { words: 'comedy', maxPriceCents: 2000 }],
  ['comedy less than 20 dollars', { words: 'comedy', maxPriceCents: 2000 }],
  ['comedy under $12,50', { words: 'comedy', maxPriceCents: 1250 }],
  ['comedy under $12.50, tonight', { words: 'comedy', maxPriceCents: 1250, range: tonightRange(now) }],
  ['gala up to 1,250 dollars', { words: 'gala', maxPriceCents: 125_000 }],
  ['gala under $0,500', { words: 'gala under $0,500' }],
  ['under 21', { words: 'under 21' }],
  ['freedom', { words: 'freedom' }],
  ['gluten-free', { words: 'gluten-free' }],
  ['#free', { words: '#free' }],
  ['"free solo" film', { words: 'free solo film' }],
  ['"tonight', { words: 'tonight' }],
  ['the weekend', { words: 'the weekend' }],
  ['today tomorrow', { words: 'tomorrow', range: todayRange(now) }],
  ['', { words: '' }],
])('finds the filters in %j', (text, said) => expect(readSearchText(text, now)).toEqual({ ...nothing, ...said }));

// 2026-12-01 is a Tuesday.
test.each([
  ['events tonight', { range: tonightRange(now) }],
  ['eventos esta noche', { range: tonightRange(now) }],
  ['free events', { free: true }],
  ['gratis', { free: true }],
  ['eventos gratuitos', { free: true }],
  ['entrada libre mañana', { free: true, range: tomorrowRange(now) }],
  ['things to do today', { range: todayRange(now) }],
  ['qué hacer hoy', { range: todayRange(now) }],
  ['cosas que hacer este fin de semana', { range: weekendRange(now) }],
  ['esta semana', { range: weekRange(now) }],
  ['Events', {}],
  ['jazz friday', { words: 'jazz', range: dayRange('2026-12-04') }],
  ['jazz on friday!', { words: 'jazz', range: dayRange('2026-12-04') }],
  ['jazz viernes', { words: 'jazz', range: dayRange('2026-12-04') }],
  ['jazz el sabado', { words: 'jazz', range: dayRange('2026-12-05') }],
  ['tuesday', { range: dayRange('2026-12-01') }],
  ['next tuesday', { range: dayRange('2026-12-08') }],
  ['miércoles', { range: dayRange('2026-12-02') }],
  ['dec 4', { range: dayRange('2026-12-04') }],
  ['4 dic', { range: dayRange('2026-12-04') }],
  ['el 4 de diciembre', { range: dayRange('2026-12-04') }],
  ['December 4th, 2027', { range: dayRange('2027-12-04') }],
  ['november 28', { range: dayRange('2027-11-28') }],
  ['menos de $20', { maxPriceCents: 2000 }],
  ['comedia hasta 20 dólares', { words: 'comedia', maxPriceCents: 2000 }],
  ['feb 30', { words: 'feb 30' }],
  ['maybe 4', { words: 'maybe 4' }],
  ['march 5k', { words: 'march 5k' }],
  ['first friday', { words: 'first friday' }],
  ['black friday market', { words: 'black friday market' }],
  ['fridays', { words: 'fridays' }],
  ['"friday" jazz', { words: 'friday jazz' }],
  ['kids', { words: 'kids' }],
  ['eventful', { words: 'eventful' }],
  ['jazz friday saturday', { words: 'jazz saturday', range: dayRange('2026-12-04') }],
])('understands everyday wording, dates and Spanish in %j', (text, said) =>
  expect(readSearchText(text, now)).toEqual({ ...nothing, words: '', ...said }),
);

test.each([
  ['jazz friday', ['jazz']],
  [
    'free  jazz, tonight under $20 please',
    ['jazz, tonight under $20 please', 'free  jazz, under $20 please', 'free  jazz, tonight please'],
  ],
  ['"free" jazz tonight', ['"free" jazz']],
  ['events dec 4', ['events']],
  ['tonight tonight', ['tonight']],
])('removing a filter of %j removes its words', (text, without) =>
  expect(filtersInText(text, now).map((one) => withoutFilter(text, one))).toEqual(without),
);

test('reads very long repetitive texts quickly', () => {
  for (const piece of ['free ', '"', 'this ', 'under $', ' ', '\u202e', '😀', '4 of ', 'next ', 'dec 4, '])
    expect(readSearchText(piece.repeat(20_000), now).words.length).toBeLessThan(200_000);
});

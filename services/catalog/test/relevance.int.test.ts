import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventPage } from '@beltway/contracts/catalog/events';
import { startCatalog, withTickets, type Catalog } from './catalog.ts';

/** The tests run on Tuesday, December 1, 2026, at 7 AM in New York. */
const TODAY = '2026-12-01';
const TOMORROW = '2026-12-02';
const FRIDAY = '2026-12-04';
const SATURDAY = '2026-12-05';
const SUNDAY = '2026-12-06';
const LATER = '2026-12-15';

type Entry = [title: string, location: string, day: string, tags: string[], description: string, price?: number];

const EVENTS: Entry[] = [
  ['Free Jazz in the Garden', 'National Mall, Washington, DC', TODAY, ['#free', '#jazz'], 'A quartet by the fountain.'],
  ['Late Night Jazz Jam', 'Blues Alley, Washington, DC', TODAY, ['#jazz', '#nightlife'], 'Bring your horn.', 20],
  ['Jazz Brunch', 'Georgetown, Washington, DC', SUNDAY, ['#jazz', '#brunch'], 'Eggs and a trio.', 45],
  ['Go-Go on the Roof', 'U Street, Washington, DC', FRIDAY, ['#liveMusic', '#rooftop', '#UStreet'], 'Five bands.', 25],
  ['Rooftop Cinema Club', 'Union Market, Washington, DC', LATER, ['#film', '#rooftop'], 'A film under the stars.', 18],
  ['Sunset Session', 'The Wharf, DC', SATURDAY, ['#liveDJ', '#rooftop'], 'House on the pier.', 15],
  [
    'Wolf Trap Holiday Sing-A-Long',
    'Wolf Trap, Vienna, VA',
    LATER,
    ['#holiday', '#family', '#free'],
    'Carols for all.',
  ],
  [
    'Symphony Under Snow',
    'Kennedy Center, Washington, DC',
    SATURDAY,
    ['#symphony'],
    'The National Symphony plays.',
    60,
  ],
  ['Nutcracker for Kids', 'Strathmore, Bethesda, MD', SUNDAY, ['#ballet', '#kids'], 'One hour, no intermission.', 30],
  ['Bethesda Blues Night', 'Bethesda, MD', FRIDAY, ['#blues', '#liveMusic'], 'Guitars until one.', 22],
  [
    'Stand-Up Underground',
    'Adams Morgan, Washington, DC',
    TODAY,
    ['#comedy', '#nightlife'],
    'Six comics, one brick wall.',
    15,
  ],
  ['Improv Comedy Marathon', 'Arlington, VA', SATURDAY, ['#comedy'], 'Twelve hours of it.', 35],
  ['Punk at the 9:30 Club', '9:30 Club, Washington, DC', FRIDAY, ['#punk'], 'Three loud bands.', 28],
  ['Capitals Watch Party', 'Navy Yard, Washington, DC', TOMORROW, ['#sports', '#free'], 'The game on a big screen.'],
  [
    'Washington Nationals Winterfest',
    'Nationals Park, Washington, DC',
    SATURDAY,
    ['#sports', '#family'],
    'Meet the team.',
    10,
  ],
  ['Silver Spring Swing Social', 'Silver Spring, MD', FRIDAY, ['#dance'], 'Beginner lesson at seven.', 20],
  ['Salsa Sundays', 'Clarendon, VA', SUNDAY, ['#salsa', '#dance'], 'Lesson at six, dancing after.', 12],
  ['Sunrise Yoga over the Potomac', 'Georgetown, Washington, DC', TOMORROW, ['#yoga', '#free'], 'On the lawn.'],
  [
    'Farmers Market at Dupont',
    'Dupont Circle, Washington, DC',
    SUNDAY,
    ['#market', '#free', '#food'],
    'Apples and greens.',
  ],
  ['Holiday Market', 'Penn Quarter, Washington, DC', TOMORROW, ['#market', '#free'], 'Gifts by local makers.'],
  ['Ramen Workshop', 'Rockville, MD', LATER, ['#food', '#workshop'], 'Noodles from scratch.', 55],
  ['Ethiopian Coffee Ceremony', 'Shaw, Washington, DC', SATURDAY, ['#coffee'], 'Three cups, slowly.', 10],
  ['Crab Feast', 'Annapolis, MD', LATER, ['#food'], 'A table covered in paper.', 65],
  ['National Harbor Tree Lighting', 'National Harbor, MD', FRIDAY, ['#free', '#family'], 'Carols and cocoa.'],
  ['Old Town Lantern Walk', 'Old Town Alexandria, VA', TODAY, ['#history'], 'Ghosts, spies and a tavern.', 15],
  [
    'Smithsonian After Hours',
    'National Museum of Natural History, Washington, DC',
    TOMORROW,
    ['#museum'],
    'Dinosaurs and drinks.',
    40,
  ],
  ['Poetry Open Mic', 'Busboys and Poets, Hyattsville, MD', TODAY, ['#poetry', '#free'], 'Five minutes each.'],
  ['Drag Bingo', 'Logan Circle, Washington, DC', TOMORROW, ['#drag', '#nightlife'], 'Numbers and numbers.', 10],
  ['R&B Throwback', 'H Street Corridor, Washington, DC', SATURDAY, ['#rnb', '#nightlife'], 'Slow jams.', 20],
  ['Café Tango', 'Takoma Park, MD', FRIDAY, ['#tango'], 'A milonga with live bandoneon.', 15],
  ['Reston Half Marathon', 'Reston, VA', SUNDAY, ['#run'], 'Thirteen miles on the trail.', 70],
  ['Gospel Brunch', 'Anacostia, Washington, DC', SUNDAY, ['#gospel', '#brunch'], 'A choir with waffles.', 38],
  ['Chess in the Park', 'Dupont Circle, Washington, DC', SATURDAY, ['#community', '#free'], 'Tables for all levels.'],
  ['Ukulele Circle', 'Greenbelt, MD', TOMORROW, ['#free', '#liveMusic'], 'We play jazz standards too.'],
];

/** Searches as people type them, and the first results that each search must find. null: no result. */
const GOLDEN: Array<[search: string, ...first: Array<string | null>]> = [
  // Words.
  ['jazz', 'Free Jazz in the Garden', 'Late Night Jazz Jam', 'Jazz Brunch', 'Ukulele Circle'],
  ['comedy', 'Improv Comedy Marathon', 'Stand-Up Underground'],
  ['brunch', 'Jazz Brunch', 'Gospel Brunch'],
  ['market', 'Holiday Market', 'Farmers Market at Dupont', 'Rooftop Cinema Club'],
  ['standup', 'Stand-Up Underground'],
  ['stand up', 'Stand-Up Underground'],
  ['gogo', 'Go-Go on the Roof'],
  ['go go roof', 'Go-Go on the Roof'],
  ['r&b', 'R&B Throwback'],
  ['cafe tango', 'Café Tango'],
  ['dancing', 'Silver Spring Swing Social', 'Salsa Sundays'],
  ['the farmers market', 'Farmers Market at Dupont'],
  // Incomplete words.
  ['symph', 'Symphony Under Snow'],
  ['nutc', 'Nutcracker for Kids'],
  ['ethiopian cof', 'Ethiopian Coffee Ceremony'],
  // Misspellings.
  ['jaz brunch', 'Jazz Brunch'],
  ['smithsonain', 'Smithsonian After Hours'],
  ['comdey', 'Improv Comedy Marathon'],
  ['nutcraker', 'Nutcracker for Kids'],
  ['ethopian coffe', 'Ethiopian Coffee Ceremony'],
  ['simphony', 'Symphony Under Snow'],
  ['bethseda blues', 'Bethesda Blues Night'],
  // Places. Blues Alley is in Georgetown, but its address does not contain that name.
  ['georgetown', 'Late Night Jazz Jam', 'Sunrise Yoga over the Potomac', 'Jazz Brunch'],
  ['goergetown brunch', 'Jazz Brunch'],
  ['wolftrap', 'Wolf Trap Holiday Sing-A-Long'],
  ['9:30', 'Punk at the 9:30 Club'],
  ['930 club', 'Punk at the 9:30 Club'],
  ['silverspring', 'Silver Spring Swing Social'],
  ['u street', 'Go-Go on the Roof'],
  ['dupont chess', 'Chess in the Park'],
  ['kennedy center', 'Symphony Under Snow'],
  ['comedy in virginia', 'Improv Comedy Marathon'],
  ['natoinals park', 'Washington Nationals Winterfest'],
  // Days and prices.
  ['free jazz tonight', 'Free Jazz in the Garden'],
  ['jazz tonight', 'Free Jazz in the Garden', 'Late Night Jazz Jam'],
  ['comedy tonight under $20', 'Stand-Up Underground'],
  ['this weekend dance', 'Silver Spring Swing Social', 'Salsa Sundays'],
  ['free tomorrow', 'Capitals Watch Party', 'Sunrise Yoga over the Potomac', 'Holiday Market', 'Ukulele Circle'],
  ['jazz tomorrow', 'Ukulele Circle'],
  // Tags, and a search without a result.
  ['#rooftop', 'Go-Go on the Roof', 'Sunset Session', 'Rooftop Cinema Club'],
  ['#liveDJ', 'Sunset Session'],
  ['quantum physics', null],
];

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
  for (const [title, location, eventDate, tags, description, price] of EVENTS) {
    const sale = price === undefined ? {} : { ...withTickets, ticketPrice: price };
    await catalog.publish({ id: 1 }, { title, location, eventDate, tags, description, ...sale });
  }
});
afterAll(() => catalog.close());

test.each(GOLDEN)('%j finds %j first', async (q, ...first) => {
  const { body } = await catalog.call<EventPage>('GET', `/api/events?${new URLSearchParams({ q }).toString()}`);
  const titles = body.items.map(({ title }) => title);
  expect(titles.length === 0 ? [null] : titles.slice(0, first.length)).toEqual(first);
});

test('there are at least forty searches', () => expect(GOLDEN.length).toBeGreaterThanOrEqual(40));

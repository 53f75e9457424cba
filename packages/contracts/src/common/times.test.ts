import { execFileSync } from 'node:child_process';
import { assert, constantFrom, date, integer, property, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  currentDayOf,
  dayAt,
  dayOf,
  daysAfter,
  daysBetween,
  eachDayOf,
  endOf,
  eventDateFrom,
  hasEnded,
  instantOf,
  isLastDay,
  saidEndOf,
  startOf,
  zonedText,
} from './times.ts';

const HOUR = 3_600_000;
const between = { min: new Date('2000-01-02T00:00:00Z'), max: new Date('2099-12-30T00:00:00Z'), noInvalidDate: true };
const anInstant = date(between);
const aDay = date(between).map((day) => day.toISOString().slice(0, 10));
const aTime = tuple(integer({ min: 0, max: 23 }), integer({ min: 0, max: 59 })).map(([hours, minutes]) =>
  [hours, minutes].map((number) => String(number).padStart(2, '0')).join(':'),
);
/**
 * The days on which New York changes its clocks, and the days before and after them (law of 2007: second Sunday of
 * March, first Sunday of November).
 */
const aChange = tuple(integer({ min: 2007, max: 2090 }), constantFrom('03', '11'), integer({ min: -1, max: 1 })).map(
  ([year, month, by]) => {
    const first = new Date(`${year}-${month}-01T00:00:00Z`);
    const sunday = 1 + ((7 - first.getUTCDay()) % 7) + (month === '03' ? 7 : 0);
    return daysAfter(`${year}-${month}-${String(sunday).padStart(2, '0')}`, by);
  },
);

// Day and clock time in New York according to the platform, independent of the library under test.
const shown = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
});
const clockAt = (instant: Date) => shown.format(instant).replace(', ', ' ');

describe('days and clocks of New York', () => {
  test('an instant is on its calendar day in New York', () =>
    assert(property(anInstant, (instant) => void expect(dayAt(instant)).toBe(clockAt(instant).slice(0, 10)))));

  test('a time that occurs twice is its first instant; a time that is skipped in spring is one hour later', () => {
    const check = (day: string, time: string) => {
      const instant = instantOf(day, time);
      const showing = [4, 5]
        .map((hours) => new Date(Date.parse(`${day}T${time}:00Z`) + hours * HOUR))
        .filter((guess) => clockAt(guess) === `${day} ${time}`);
      if (showing[0]) expect(instant).toEqual(showing[0]);
      else expect(clockAt(instant)).toBe(`${day} ${time.replace(/^02/, '03')}`);
    };
    assert(property(aDay, aTime, check));
    assert(property(aChange, aTime, check));
  });

  test.each(['America/Los_Angeles', 'Australia/Lord_Howe', 'Pacific/Apia', 'Europe/London'])(
    'the results are the same in %s',
    (zone) => {
      const script = `import { instantOf, endOf } from ${JSON.stringify(new URL('./times.ts', import.meta.url).href)};
        const at = ['2026-03-08', '2026-11-01', '2026-07-04'].flatMap((day) => ['00:30', '01:30', '02:30', '19:00'].map((time) => instantOf(day, time)));
        console.log(JSON.stringify([...at, endOf({ eventDate: '2026-10-31T04:00:00Z', eventStartTime: '22:00', eventEndTime: '01:30' })]));`;
      const run = (TZ: string) =>
        execFileSync(process.execPath, ['--input-type=module', '-e', script], { env: { ...process.env, TZ } });
      expect(run(zone)).toEqual(run('UTC'));
    },
  );

  test('an instant is written with its own UTC offset', () => {
    assert(
      property(anInstant, (instant) => {
        const text = zonedText(instant);
        expect(Date.parse(text)).toBe(Math.floor(instant.getTime() / 1_000) * 1_000);
        expect(text.slice(0, 16).replace('T', ' ')).toBe(clockAt(instant));
      }),
    );
  });
});

describe('the date of an event', () => {
  test.each([
    ['2026-11-21T19:00-05:00', '2026-11-21'],
    ['2026-11-21T19:00:00.000-05:00', '2026-11-21'],
    ['2026-11-21T23:59:59-05:00', '2026-11-21'],
    ['2026-11-22T00:00-05:00', '2026-11-22'],
    ['2026-11-22T01:00:00+01:00', '2026-11-21'],
    ['2026-11-22T04:59:59.999Z', '2026-11-21'],
    ['2026-11-22T00:00:00.001Z', '2026-11-21'],
    ['2026-11-21', '2026-11-21'],
    ['2026-11-21T00:00:00.000Z', '2026-11-21'],
    ['2026-11-21T00:00Z', '2026-11-21'],
    ['2026-11-21T00:00:00+00:00', '2026-11-21'],
  ])('%s is on %s', (text, day) => expect(dayOf(eventDateFrom(text))).toBe(day));

  test('an instant is on its day in New York, whatever offset it is written with', () => {
    const minutes = integer({ min: -14 * 60, max: 14 * 60 });
    const check = (instant: Date, offset: number) => {
      const sign = offset < 0 ? '-' : '+';
      const two = (number: number) => String(Math.abs(Math.trunc(number))).padStart(2, '0');
      const wall = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, -1);
      const text = `${wall}${sign}${two(offset / 60)}:${two(offset % 60)}`;
      if (offset === 0 && text.includes('T00:00:00.000')) return; // a bare day in JavaScript's format
      expect(dayOf(eventDateFrom(text))).toBe(clockAt(instant).slice(0, 10));
    };
    assert(property(anInstant, minutes, check));
    const evening = aDay.map((day) => instantOf(day, '19:00')); // 19:00 is midnight in UTC for half of the year
    assert(property(evening, constantFrom(-300, -240), check));
  });

  test('a bare day is parsed as that day, even in the format of a JavaScript Date', () =>
    assert(
      property(aDay, (day) => {
        expect(dayOf(eventDateFrom(day))).toBe(day);
        expect(eventDateFrom(new Date(day).toISOString())).toBe(eventDateFrom(day));
        expect(eventDateFrom(JSON.parse(JSON.stringify(instantOf(day))) as string)).toBe(eventDateFrom(day));
      }),
    ));

  test('is stored as midnight of its day in New York, and parsing the stored value changes nothing', () =>
    assert(
      property(anInstant, (instant) => {
        const kept = eventDateFrom(instant.toISOString());
        expect(clockAt(new Date(kept)).slice(11)).toBe('00:00');
        expect(eventDateFrom(kept)).toBe(kept);
      }),
    ));

  test('a date stored as midnight UTC, the former format of bare days, is that day', () =>
    expect(dayOf('2026-11-28T00:00:00.000Z')).toBe('2026-11-28'));
});

describe('the hours of an event', () => {
  const times = (eventDate: string, eventStartTime: string, eventEndTime: string | null = null) =>
    [startOf, endOf].map((of) => of({ eventDate, eventStartTime, eventEndTime }).toISOString());

  test('are in New York time, in winter and in summer', () => {
    expect(times('2026-11-28T05:00:00.000Z', '19:00', '23:00')).toEqual([
      '2026-11-29T00:00:00.000Z',
      '2026-11-29T04:00:00.000Z',
    ]);
    expect(times('2026-07-12T04:00:00.000Z', '19:00', '23:00')).toEqual([
      '2026-07-12T23:00:00.000Z',
      '2026-07-13T03:00:00.000Z',
    ]);
  });
  test('end on the next day if the end is at or before the start', () => {
    expect(times('2026-07-12T04:00:00.000Z', '22:00', '03:00')[1]).toBe('2026-07-13T07:00:00.000Z');
    expect(times('2026-07-12T04:00:00.000Z', '22:00', '22:00')[1]).toBe('2026-07-14T02:00:00.000Z');
  });
  test('last three hours without an end', () =>
    expect(times('2026-07-12T04:00:00.000Z', '19:00')[1]).toBe('2026-07-13T02:00:00.000Z'));
  test('are one hour longer when clocks go back, one hour shorter when they go forward', () => {
    const hours = (eventDate: string) => {
      const [start, end] = times(eventDate, '22:00', '04:00');
      return (Date.parse(end!) - Date.parse(start!)) / HOUR;
    };
    expect(hours('2026-10-31T04:00:00.000Z')).toBe(7);
    expect(hours('2026-03-07T05:00:00.000Z')).toBe(5);
    expect(hours('2026-07-12T04:00:00.000Z')).toBe(6);
  });
  test('never end before they start; an event has ended from its end on', () => {
    assert(
      property(aChange, aTime, aTime, (day, eventStartTime, eventEndTime) => {
        const event = { eventDate: instantOf(day), eventStartTime, eventEndTime };
        const [start, end] = [startOf(event), endOf(event)];
        expect(end.getTime()).toBeGreaterThan(start.getTime());
        expect(end.getTime() - start.getTime()).toBeLessThanOrEqual(25 * HOUR);
        expect([hasEnded(event, new Date(end.getTime() - 1)), hasEnded(event, end)]).toEqual([false, true]);
      }),
    );
  });
});

describe('an event of several days', () => {
  const festival = {
    eventDate: '2026-12-04T05:00:00Z',
    eventLastDate: '2026-12-06T05:00:00Z',
    eventStartTime: '19:00',
  };

  test.each([
    ['in the evening of its last day', '19:00', '23:00', '2026-12-06 23:00'],
    ['in the night after its last day', '20:00', '02:00', '2026-12-07 02:00'],
    ['earlier in the day than it began', '18:00', '16:00', '2026-12-06 16:00'],
    ['at six in the morning, the last hour of a night', '21:00', '06:00', '2026-12-07 06:00'],
    ['three hours after the start of its last day, without an end', '19:00', null, '2026-12-06 22:00'],
  ])('ends %s', (_when, eventStartTime, eventEndTime, end) =>
    expect(clockAt(endOf({ ...festival, eventStartTime, eventEndTime }))).toBe(end),
  );

  test('begins on its first day, and has ended after its last day', () => {
    const event = { ...festival, eventEndTime: '23:00' };
    expect(clockAt(startOf(event))).toBe('2026-12-04 19:00');
    expect(hasEnded(event, instantOf('2026-12-05', '03:00'))).toBe(false);
    expect(hasEnded(event, instantOf('2026-12-06', '22:59'))).toBe(false);
    expect(hasEnded(event, instantOf('2026-12-06', '23:00'))).toBe(true);
  });

  test('belongs to today while it is running', () => {
    const dayFor = (day: string) => currentDayOf(festival, instantOf(day, '12:00'));
    expect(['2026-11-30', '2026-12-04', '2026-12-05', '2026-12-06', '2026-12-07'].map(dayFor)).toEqual([
      ...['2026-12-04', '2026-12-04', '2026-12-05', '2026-12-06', '2026-12-06'],
    ]);
    expect(eachDayOf(festival)).toEqual(['2026-12-04', '2026-12-05', '2026-12-06']);
  });

  test('has at most 31 days, even across a clock change', () => {
    expect(
      ['2026-10-31', '2026-11-01', '2026-11-30', '2026-12-01'].map((last) => isLastDay('2026-10-31', last)),
    ).toEqual([false, true, true, false]);
    expect(daysBetween('2026-10-31', '2026-11-30')).toBe(30);
  });

  test('without a later last day has the same start and end as an event of one day', () => {
    const lasts = constantFrom(undefined, null, 0, -1, -40);
    assert(
      property(aDay, aTime, aTime, lasts, (day, eventStartTime, eventEndTime, last) => {
        const one = { eventDate: instantOf(day), eventStartTime, eventEndTime };
        const event = { ...one, eventLastDate: typeof last === 'number' ? instantOf(daysAfter(day, last)) : last };
        expect([startOf(event), endOf(event), saidEndOf(event)]).toEqual([startOf(one), endOf(one), saidEndOf(one)]);
        expect(eachDayOf(event)).toEqual([day]);
      }),
    );
  });

  test('never ends before its last day begins', () =>
    assert(
      property(aChange, aTime, aTime, integer({ min: 1, max: 30 }), (day, eventStartTime, eventEndTime, count) => {
        const last = daysAfter(day, count);
        const event = { eventDate: instantOf(day), eventLastDate: instantOf(last), eventStartTime, eventEndTime };
        expect(endOf(event) >= instantOf(last)).toBe(true);
        expect(endOf(event) > startOf(event)).toBe(true);
      }),
    ));
});

import type { Details } from '../../services/catalog/src/event/events.ts';
import { PLACES, placeLabel } from '@beltway/places/gazetteer';
import { dayAt, daysAfter, instantOf } from '@beltway/contracts/common/times';
import { numbersFrom } from '../support/numbers.ts';

const COMMON =
  'jazz live music night party brunch market food wine beer comedy dance salsa yoga film art gallery garden rooftop show open late family free band tribute festival workshop class tour tasting holiday winter city river walk run club session concert acoustic electronic house disco soul funk gospel opera choir orchestra poetry book reading talk history museum kids puppet story craft vintage flea farmers cherry blossom sunset sunrise moonlight masquerade karaoke trivia quiz bingo drag burlesque swing tango bachata reggae afrobeat techno indie rock punk blues bluegrass country folk hip hop rap'.split(
    ' ',
  );
const TAGS =
  '#free #liveDJ #UStreet #nightlife #rooftop #liveMusic #food #art #family #jazz #comedy #yoga #outdoors #dance #film #market #brunch #history #tech #sports #kids #wine #beer #karaoke #poetry #theater #gospel #house #salsa #charity'.split(
    ' ',
  );

export interface Generator {
  details(): Details;
  /** The path of a realistic search of this kind, or of any kind if `kind` is undefined. */
  search(kind?: string): string;
  /** Names of the kinds of searches. */
  kinds: string[];
}

/** Events and searches whose words are as unevenly distributed as the words of a natural language. */
export function generatorOf(seed: number, now: Date): Generator {
  const random = numbersFrom(seed);
  const whole = (below: number) => Math.floor(random() * below);
  /** Picks an element. The first elements are picked many times as often as the last elements. */
  const skewed = <T>(all: readonly T[]): T => all[Math.floor(all.length * random() ** 3)]!;
  const syllables =
    'ba be bo da de di do fa fe ga go ha jo ka ke ki la le li lo ma me mi mo na ne no pa po ra re ri ro sa se so ta te ti to va ve vi wa za zo'.split(
      ' ',
    );
  const names = Array.from({ length: 12_000 }, () =>
    Array.from({ length: 2 + whole(3) }, () => syllables[whole(syllables.length)]).join(''),
  );
  const word = () => (random() < 0.6 ? skewed(COMMON) : skewed(names));
  const words = (count: number) => Array.from({ length: count }, word).join(' ');
  const place = () => placeLabel(skewed(PLACES));
  const today = dayAt(now);

  const details = (): Details => {
    const hasTickets = random() < 0.5;
    const eventDate = instantOf(daysAfter(today, whole(210) - 30)).toISOString();
    return {
      title: words(2 + whole(4)),
      description: words(20 + whole(40)),
      location: random() < 0.9 ? place() : `${words(2)} hall`,
      pictureUrl: null,
      videoUrl: null,
      tags: [...new Set(Array.from({ length: 1 + whole(4) }, () => skewed(TAGS)))],
      eventDate,
      eventStartTime: `${10 + whole(13)}:${whole(2) ? '00' : '30'}`,
      eventEndTime: null,
      contactEmail: 'bench@example.test',
      hasTickets,
      ticketSalesEnabled: hasTickets,
      priceCents: hasTickets ? 500 + whole(60) * 100 : null,
      capacity: hasTickets ? 20 + whole(400) : null,
      salesStart: null,
      salesEnd: null,
      refundDeadlineHours: 24,
    };
  };

  /** Drops, doubles or swaps a letter. */
  const misspelled = (text: string) => {
    const at = 1 + whole(Math.max(text.length - 2, 1));
    const kind = whole(3);
    if (kind === 0) return text.slice(0, at) + text.slice(at + 1);
    if (kind === 1) return text.slice(0, at) + text[at - 1]! + text.slice(at);
    return text.slice(0, at) + (text[at + 1] ?? '') + text[at]! + text.slice(at + 2);
  };
  const typed = (text: string) => text.slice(0, 1 + whole(text.length));
  const name = () => skewed(names);
  const near = () => `${38.7 + random() * 0.4},${-77.3 + random() * 0.5}`;
  const kinds: Record<string, () => Record<string, string>> = {
    unfinished: () => ({ q: typed(word()) }),
    'word and unfinished': () => ({ q: `${word()} ${typed(word())}` }),
    word: () => ({ q: word() }),
    name: () => ({ q: name() }),
    'misspelled word': () => ({ q: misspelled(skewed(COMMON)) }),
    'misspelled name': () => ({ q: misspelled(name()) }),
    'word and place': () => ({ q: `${skewed(COMMON)} ${skewed(PLACES).name}` }),
    'free … tonight': () => ({ q: `free ${skewed(COMMON)} tonight` }),
    'this weekend': () => ({ q: `${skewed(COMMON)} this weekend` }),
    tag: () => ({ tags: skewed(TAGS) }),
    'tags, free': () => ({ tags: `${skewed(TAGS)},${skewed(TAGS)}`, free: '1' }),
    category: () => ({ category: skewed(['music', 'food', 'nightlife', 'arts', 'sports', 'family', 'community']) }),
    'months, popular': () => ({
      ...{ from: daysAfter(today, whole(60)), to: daysAfter(today, 60 + whole(60)), sort: 'popular' },
    }),
    nearest: () => ({ near: near(), radius: String(1 + whole(20)), sort: 'nearest' }),
    'word, nearest': () => ({ near: near(), q: skewed(COMMON), sort: 'nearest' }),
    'price, on sale': () => ({ maxPrice: String(5 + whole(40)), onSale: '1' }),
    'on sale, popular': () => ({ onSale: '1', sort: 'popular', category: 'music' }),
    newest: () => ({ sort: 'newest' }),
    'word, newest': () => ({ q: skewed(COMMON), sort: 'newest' }),
    everything: () => ({ limit: '24' }),
  };
  const kindNames = Object.keys(kinds);
  const search = (kind = kindNames[whole(kindNames.length)]!) =>
    `/api/events?${new URLSearchParams(kinds[kind]!()).toString()}`;
  return { details, search, kinds: kindNames };
}

/** One entry of a calendar. Its instants are written in UTC, so that they mean the same in every zone and on nights when clocks change. */
export interface CalendarEntry {
  /** The same for ever: an entry that is read again takes the place of the one with this id. */
  id: string;
  /** Grows with each change (RFC 5545, 3.8.7.4). */
  sequence: number;
  status: 'confirmed' | 'tentative' | 'canceled';
  start: Date;
  end: Date;
  summary: string;
  location: string;
  description: string;
  url: string;
  /** When what is said was last changed. Default: now. */
  changedAt?: Date;
  categories?: readonly string[];
  /** Degrees, WGS 84. */
  position?: { lat: number; lon: number };
  /** "Beltway <tickets@beltway.test>" */
  organizer?: string;
}

export interface Calendar {
  /** Shown by programs that subscribe. */
  name: string;
  /** Who makes it: "//Beltway//Tickets//EN" */
  product: string;
  /** What a single file does to the calendar it is opened in (RFC 5546). A subscription has none. */
  method?: 'publish' | 'cancel';
  /** How often a subscription is worth asking for again, in seconds. */
  refreshSeconds?: number;
  entries: readonly CalendarEntry[];
}

/** What no text of RFC 5545 may have (3.1, CONTROL), and halves of characters. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
const plain = (text: string): string => text.toWellFormed().replace(CONTROLS, '');

/** A TEXT value (RFC 5545, 3.3.11): `ical-generator` escapes those of entries, and writes a calendar's name as it is. */
const escaped = (text: string): string =>
  plain(text)
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n');

/** An iCalendar file (RFC 5545): lines end with CRLF and have at most 75 octets, whatever the texts are. */
export async function calendarFile({ name, product, method, refreshSeconds, entries }: Calendar): Promise<string> {
  const { default: ical, ICalCalendarMethod, ICalEventStatus } = await import('ical-generator');
  const file = ical({
    name: escaped(name),
    prodId: product,
    ...(method && { method: method === 'cancel' ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH }),
    ...(refreshSeconds !== undefined && { ttl: refreshSeconds }),
  });
  const statuses = {
    confirmed: ICalEventStatus.CONFIRMED,
    tentative: ICalEventStatus.TENTATIVE,
    canceled: ICalEventStatus.CANCELLED,
  };
  for (const entry of entries)
    file.createEvent({
      id: entry.id,
      sequence: entry.sequence,
      status: statuses[entry.status],
      start: entry.start,
      end: entry.end,
      summary: plain(entry.summary),
      location: entry.position
        ? { title: plain(entry.location), geo: { lat: entry.position.lat, lon: entry.position.lon } }
        : plain(entry.location),
      description: plain(entry.description),
      url: entry.url,
      ...(entry.organizer && { organizer: entry.organizer }),
      ...(entry.changedAt && { stamp: entry.changedAt, lastModified: entry.changedAt }),
      ...(entry.categories && { categories: entry.categories.map((category) => ({ name: plain(category) })) }),
    });
  return `${file.toString()}\r\n`;
}

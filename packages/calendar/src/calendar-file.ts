/** One entry of a calendar. Times are written in UTC, so they are unambiguous in every zone and when clocks change. */
export interface CalendarEntry {
  /** Never changes: an imported entry replaces an earlier entry with the same id. */
  id: string;
  /** Increases with each change (RFC 5545, 3.8.7.4). */
  sequence: number;
  status: 'confirmed' | 'tentative' | 'canceled';
  start: Date;
  end: Date;
  summary: string;
  location: string;
  description: string;
  url: string;
  /** When the content last changed. Default: now. */
  changedAt?: Date;
  categories?: readonly string[];
  /** Degrees, WGS 84. */
  position?: { lat: number; lon: number };
  /** "Beltway <tickets@beltway.test>" */
  organizer?: string;
}

export interface Calendar {
  /** The name that subscribed calendar apps display. */
  name: string;
  /** The product identifier (`PRODID`): "//Beltway//Tickets//EN" */
  product: string;
  /**
   * Whether a calendar app adds or cancels the entries of a downloaded file (RFC 5546). A subscription has no method.
   */
  method?: 'publish' | 'cancel';
  /** How often a subscriber should refresh, in seconds. */
  refreshSeconds?: number;
  entries: readonly CalendarEntry[];
}

/** Control characters, which RFC 5545 (3.1, CONTROL) forbids in texts. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
const plain = (text: string): string => text.toWellFormed().replace(CONTROLS, '');

/** A TEXT value (RFC 5545, 3.3.11). `ical-generator` escapes the texts of entries, but not a calendar's name. */
const escaped = (text: string): string =>
  plain(text)
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n');

/** An iCalendar file (RFC 5545). Lines end with CRLF and have at most 75 octets, whatever the texts contain. */
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

import { CalendarPlus, CalendarSync, Link2, Rss } from 'lucide-react';
import { copyText } from '../../lib/copy-text.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { toast } from '../../ui/toast.ts';
import { feedOf, type EventFilter } from './filter.ts';

/** Where the feed of a search is. */
const feedUrl = (kind: 'ics' | 'rss', filter: EventFilter): string => {
  const search = feedOf(filter).toString();
  return `${window.location.origin}/api/events.${kind}${search && `?${search}`}`;
};

async function copy(url: string): Promise<void> {
  if (await copyText(url))
    toast({ title: 'Link Copied', description: 'Paste it where your calendar takes an address.' });
  else toast({ title: 'Could not copy', description: `Please copy it by hand: ${url}`, variant: 'destructive' });
}

/** Takes the present search into a calendar or a reader, where it keeps itself up to date. */
export function SubscribeMenu({ filter }: { filter: EventFilter }) {
  const calendar = feedUrl('ics', filter);
  // By this scheme browsers hand an address to the calendar of the device.
  const webcal = calendar.replace(/^https?:/, 'webcal:');
  const google = `https://calendar.google.com/calendar/render?${new URLSearchParams({ cid: webcal }).toString()}`;
  return (
    <Menu
      heading="These events, always up to date"
      trigger={
        <Button variant="quiet" className="px-3 text-note">
          <CalendarSync aria-hidden className="size-4" />
          Subscribe
        </Button>
      }
      items={[
        { label: 'Calendar app', icon: <CalendarSync aria-hidden />, href: webcal },
        { label: 'Google Calendar', icon: <CalendarPlus aria-hidden />, href: google },
        { label: 'Copy calendar address', icon: <Link2 aria-hidden />, onSelect: () => void copy(calendar) },
        { label: 'RSS feed', icon: <Rss aria-hidden />, href: feedUrl('rss', filter) },
      ]}
    />
  );
}

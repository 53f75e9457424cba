import CalendarPlus from 'lucide-react/icons/calendar-plus';
import CalendarSync from 'lucide-react/icons/calendar-sync';
import Link2 from 'lucide-react/icons/link-2';
import Rss from 'lucide-react/icons/rss';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { useClock } from '../../lib/time/clock.ts';
import { copyText } from '../../lib/browser/copy-text.ts';
import { MenuPanel, type MenuProps } from '../../ui/menu-panel.tsx';
import { toast } from '../../ui/toast.ts';
import { feedOf } from './feed-filter.ts';
import type { EventFilter } from './filter.ts';
import { texts } from './share.texts.en.ts';

/** The URL of the feed of a search. */
const feedUrl = (kind: 'ics' | 'rss', filter: EventFilter, now: Date): string => {
  const search = feedOf(filter, now).toString();
  return `${window.location.origin}/api/events.${kind}${search && `?${search}`}`;
};

async function copy(url: string): Promise<void> {
  const t = textsNow(texts);
  if (await copyText(url)) toast({ title: t('linkCopied'), description: t('feedPaste') });
  else toast({ title: t('notCopied'), description: t('copyByHand', { url }), variant: 'destructive' });
}

/** The list of a SubscribeMenu. */
export function SubscribeOptions({ filter, trigger }: { filter: EventFilter } & Pick<MenuProps, 'trigger'>) {
  const t = useTexts(texts);
  const now = useClock();
  const calendar = feedUrl('ics', filter, now);
  // With this scheme, browsers open the device's calendar app.
  const webcal = calendar.replace(/^https?:/, 'webcal:');
  const google = `https://calendar.google.com/calendar/render?${new URLSearchParams({ cid: webcal }).toString()}`;
  return (
    <MenuPanel
      heading={t('upToDate')}
      trigger={trigger}
      items={[
        { label: t('calendarApp'), icon: <CalendarSync aria-hidden />, href: webcal },
        { label: t('googleCalendar'), icon: <CalendarPlus aria-hidden />, href: google },
        { label: t('copyCalendar'), icon: <Link2 aria-hidden />, onSelect: () => void copy(calendar) },
        { label: t('rss'), icon: <Rss aria-hidden />, href: feedUrl('rss', filter, now) },
      ]}
    />
  );
}

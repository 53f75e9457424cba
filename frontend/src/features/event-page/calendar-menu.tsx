import { calendarUrl } from '@beltway/contracts/catalog/event-links';
import type { Event } from '@beltway/contracts/catalog/events';
import CalendarPlus from 'lucide-react/icons/calendar-plus';
import Download from 'lucide-react/icons/download';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { eventPath } from '../../lib/events/event-facts.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { texts } from './texts.en.ts';

/** Puts an event into a calendar: by its file, which every calendar opens, or at Google. */
export function CalendarMenu({ event }: { event: Event }) {
  const t = useTexts(texts);
  return (
    <Menu
      trigger={
        <Button variant="secondary" className="w-full">
          <CalendarPlus aria-hidden className="size-4" />
          {t('addToCalendar')}
        </Button>
      }
      items={[
        {
          label: t('calendarFile'),
          icon: <Download aria-hidden />,
          href: `/api/events/${event.id}.ics`,
        },
        {
          label: t('googleCalendar'),
          icon: <CalendarPlus aria-hidden />,
          href: calendarUrl(event, window.location.origin + eventPath(event)),
        },
      ]}
    />
  );
}

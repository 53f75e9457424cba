import { calendarUrl } from '@beltway/contracts/catalog/event-links';
import type { Event } from '@beltway/contracts/catalog/events';
import CalendarPlus from 'lucide-react/icons/calendar-plus';
import Download from 'lucide-react/icons/download';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { eventPath } from '../../lib/events/event-facts.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { texts } from './texts.en.ts';

/** An icon in the picture's corner that adds the event to Google Calendar, or to any calendar app with a file. */
export function CalendarMenu({ event }: { event: Event }) {
  const t = useTexts(texts);
  return (
    <Menu
      trigger={
        <IconButton label={t('addToCalendar')} className="border border-line bg-raised shadow-card hover:bg-sunken">
          <CalendarPlus aria-hidden />
        </IconButton>
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

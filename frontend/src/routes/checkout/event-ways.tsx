import type { Event } from '@beltway/contracts/catalog/events';
import Share2 from 'lucide-react/icons/share-2';
import { CalendarMenu } from '../../features/event-page/calendar-menu.tsx';
import { ShareMenu } from '../../features/events/share-menu.tsx';
import { texts } from '../../features/events/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Button } from '../../ui/button.tsx';

/** Options for a visitor when an event sells no tickets. */
export function EventWays({ event }: { event: Event }) {
  const t = useTexts(texts);
  return (
    <>
      <div>
        <CalendarMenu event={event} />
      </div>
      <ShareMenu
        event={event}
        trigger={
          <Button variant="secondary">
            <Share2 aria-hidden className="size-4" />
            {t('share')}
          </Button>
        }
      />
    </>
  );
}

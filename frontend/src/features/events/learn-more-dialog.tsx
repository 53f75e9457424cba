import type { Event } from '@beltway/contracts/catalog/events';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Description } from '../../lib/events/description.tsx';
import { DirectionsButton } from '../../lib/events/directions-button.tsx';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { eventPath, isUpcoming } from '../../lib/events/event-facts.ts';
import { Where } from '../../lib/events/event-lines.tsx';
import { formatDate, formatDays, formatTimes } from '../../lib/i18n/format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { texts } from './views.texts.en.ts';

/** Title, date, location and description: frontend/PRODUCT.md#event-cards */
export function LearnMoreDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const t = useTexts(texts);
  const { title, eventDate, eventStartTime, eventEndTime, location, description } = event;
  const now = useEventClock(event);
  const hours = formatTimes(eventStartTime, eventEndTime);
  const when = eventDate ? `${formatDays(event, formatDate)}, ${hours}` : t('dateTbd');
  return (
    <Dialog
      onClose={onClose}
      title={title}
      footer={
        <>
          {isUpcoming(event, now) && <DirectionsButton location={location} />}
          <ButtonLink to={eventPath(event)}>{t('openPage')}</ButtonLink>
        </>
      }
    >
      <p className="tabular font-strong">{when}</p>
      <Where location={location} className="mt-1 text-ink-soft" />
      <Description text={description || t('detailsSoon')} className="mt-4" />
    </Dialog>
  );
}

import type { Event } from '@beltway/contracts/catalog/events';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { eventPath } from '../../lib/events/event-facts.ts';
import { Where } from '../../lib/events/event-lines.tsx';
import { formatDate, formatTimes } from '../../lib/i18n/format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { texts } from './views.texts.en.ts';

/** Title, date, location and description: frontend/PRODUCT.md#event-cards */
export function LearnMoreDialog({ event, onClose }: { event: Event; onClose: () => void }) {
  const t = useTexts(texts);
  const { title, eventDate, eventStartTime, eventEndTime, location, description } = event;
  const hours = formatTimes(eventStartTime, eventEndTime);
  const when = eventDate ? `${formatDate(eventDate)}, ${hours}` : t('dateTbd');
  return (
    <Dialog
      onClose={onClose}
      title={title}
      footer={
        <ButtonLink variant="secondary" to={eventPath(event)}>
          {t('openPage')}
        </ButtonLink>
      }
    >
      <p className="tabular font-strong">{when}</p>
      <Where location={location} className="mt-1 text-ink-soft" />
      <p className="mt-4 max-w-prose whitespace-pre-line">{description || t('detailsSoon')}</p>
    </Dialog>
  );
}

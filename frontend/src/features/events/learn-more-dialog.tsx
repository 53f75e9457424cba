import type { Event } from '@beltway/contracts/catalog';
import { eventPath } from '../../lib/event-facts.ts';
import { Where } from '../../lib/event-lines.tsx';
import { formatDate, formatTimes } from '../../lib/format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

interface LearnMoreDialogProps {
  event: Event;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Title, date, location and description: docs/product.md#event-cards */
export function LearnMoreDialog({ event, open, onOpenChange }: LearnMoreDialogProps) {
  const { title, eventDate, eventStartTime, eventEndTime, location, description } = event;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      footer={
        <ButtonLink variant="secondary" to={eventPath(event)}>
          Open the event page
        </ButtonLink>
      }
    >
      <p className="tabular font-strong">
        {eventDate ? `${formatDate(eventDate)}, ${formatTimes(eventStartTime, eventEndTime)}` : 'Date TBD'}
      </p>
      <Where location={location} className="mt-1 text-ink-soft" />
      <p className="mt-4 max-w-prose whitespace-pre-line">{description || 'More details coming soon!'}</p>
    </Dialog>
  );
}

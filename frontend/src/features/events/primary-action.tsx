import type { Event } from '@beltway/contracts/catalog/events';
import { Suspense } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { checkoutPath, hasTag, isEnded, saleState } from '../../lib/events/event-facts.ts';
import { formatPrice } from '../../lib/i18n/format.ts';
import { Button, ButtonLink, type ButtonVariant } from '../../ui/button.tsx';
import { lazily } from '../../lib/loading/lazily.ts';
import { texts } from './texts.en.ts';

const LearnMoreDialog = lazily(async () => (await import('./learn-more-dialog.tsx')).LearnMoreDialog);

interface PrimaryActionProps {
  event: Event;
  className?: string;
}

/** An event's main button, chosen in the order of frontend/PRODUCT.md#event-cards. */
export function PrimaryAction({ event, className }: PrimaryActionProps) {
  const t = useTexts(texts);
  const look = (variant: ButtonVariant) => ({ variant, ...(className && { className }) });
  const now = useEventClock(event);
  const state = saleState(event, now);
  if (state === 'on-sale')
    return (
      <ButtonLink to={checkoutPath(event)} {...look('primary')}>
        {t('buy', { price: formatPrice(event.ticketPrice ?? 0) })}
      </ButtonLink>
    );
  if (state === 'sold-out')
    return (
      <Button disabled {...look('primary')}>
        {t('soldOut')}
      </Button>
    );
  if (event.isSponsored && state === 'none' && event.status === 'published' && !isEnded(event, now))
    return (
      <ButtonLink to={checkoutPath(event)} {...look('primary')}>
        {t('getTickets')}
      </ButtonLink>
    );
  if (hasTag(event, '#food'))
    return (
      <Button {...look('secondary')} onClick={() => window.open(menuSearch(event), '_blank', 'noopener')}>
        {t('viewMenu')}
      </Button>
    );
  return <LearnMore event={event} {...look('secondary')} />;
}

const menuSearch = ({ title, location }: Event): string =>
  `https://www.google.com/search?q=${encodeURIComponent(`${title} menu ${location}`)}`;

function LearnMore({ event, ...look }: { event: Event; variant: ButtonVariant; className?: string }) {
  const t = useTexts(texts);
  const [open, setOpen] = useDialogEntry(`about-${event.id}`);
  return (
    <>
      <Button {...look} onClick={() => setOpen(true)}>
        {t('learnMore')}
      </Button>
      <Suspense>{open && <LearnMoreDialog event={event} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

import type { Event } from '@beltway/contracts/catalog';
import { Suspense, useState } from 'react';
import { useDialogEntry } from '../../lib/dialog-entry.ts';
import { checkoutPath, hasTag, isEnded, saleState } from '../../lib/event-facts.ts';
import { formatPrice } from '../../lib/format.ts';
import { Button, ButtonLink, type ButtonVariant } from '../../ui/button.tsx';
import { lazily } from '../../lib/lazily.ts';

const LearnMoreDialog = lazily(async () => (await import('./learn-more-dialog.tsx')).LearnMoreDialog);

interface PrimaryActionProps {
  event: Event;
  className?: string;
}

/** The one main button of an event, in the order of docs/product.md#event-cards */
export function PrimaryAction({ event, className }: PrimaryActionProps) {
  const look = (variant: ButtonVariant) => ({ variant, ...(className && { className }) });
  const state = saleState(event);
  if (state === 'on-sale')
    return (
      <ButtonLink to={checkoutPath(event)} {...look('primary')}>
        Buy Tickets - {formatPrice(event.ticketPrice ?? 0)}
      </ButtonLink>
    );
  if (state === 'sold-out')
    return (
      <Button disabled {...look('primary')}>
        Sold Out
      </Button>
    );
  if (event.isSponsored && state === 'none' && event.status === 'published' && !isEnded(event))
    return (
      <ButtonLink to={checkoutPath(event)} {...look('primary')}>
        Get Tickets
      </ButtonLink>
    );
  if (hasTag(event, '#food'))
    return (
      <Button {...look('secondary')} onClick={() => window.open(menuSearch(event), '_blank', 'noopener')}>
        View Menu
      </Button>
    );
  return <LearnMore event={event} {...look('secondary')} />;
}

const menuSearch = ({ title, location }: Event): string =>
  `https://www.google.com/search?q=${encodeURIComponent(`${title} menu ${location}`)}`;

function LearnMore({ event, ...look }: { event: Event; variant: ButtonVariant; className?: string }) {
  const [open, setOpen] = useDialogEntry(`about-${event.id}`);
  const [wanted, setWanted] = useState(false);
  if (open && !wanted) setWanted(true);
  return (
    <>
      <Button {...look} onClick={() => setOpen(true)}>
        Learn More
      </Button>
      <Suspense>{wanted && <LearnMoreDialog event={event} open={open} onOpenChange={setOpen} />}</Suspense>
    </>
  );
}

import { admits } from '@beltway/contracts/ticketing/ticket-status';
import type { Ticket, TicketEvent } from '@beltway/contracts/ticketing/tickets';
import Send from 'lucide-react/icons/send';
import { useAction } from '../../lib/actions/use-action.ts';
import { saveBlob } from '../../lib/browser/save-file.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { texts } from './texts.en.ts';

type Scannable = Ticket & { qrCode: string };

/** Opens the device's share sheet with the picture, or saves the picture if there is no share sheet. */
async function hand(picture: File): Promise<'shared' | 'saved'> {
  const shared = { files: [picture] };
  if (!(navigator as Partial<Navigator>).canShare?.(shared)) {
    saveBlob(picture, picture.name);
    return 'saved';
  }
  await navigator.share(shared).catch((error: unknown) => {
    // The user closed the share sheet without sending.
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  });
  return 'shared';
}

/** Sends one ticket as a picture. With several tickets, a menu offers the choice. */
export function SendTicket({ event, tickets }: { event: TicketEvent; tickets: readonly Ticket[] }) {
  const t = useTexts(texts);
  const send = useAction({
    mutationFn: async (ticket: Scannable) => {
      const { ticketPicture } = await import('./ticket-picture.ts');
      return hand(await ticketPicture(event, ticket));
    },
    done: (way) => (way === 'saved' ? { title: t('pictureSaved'), description: t('pictureSavedWhy') } : null),
    failed: t('noPicture'),
  });
  const standing = tickets.filter((one): one is Scannable => admits(one.status) && one.qrCode !== null);
  const [first, ...others] = standing;
  if (!first) return null;
  const button = (press?: () => void) => (
    <Button variant="secondary" className="max-sm:px-3" pending={send.isPending} onClick={press}>
      {!send.isPending && <Send aria-hidden className="size-4 shrink-0" />}
      {t('sendToFriend')}
    </Button>
  );
  if (others.length === 0) return button(() => send.mutate(first));
  return (
    <Menu
      trigger={button()}
      items={standing.map((ticket) => ({
        label: t('ticketOf', { number: String(tickets.indexOf(ticket) + 1), code: ticket.ticketCode }),
        onSelect: () => send.mutate(ticket),
      }))}
    />
  );
}

import { TicketCount, TicketPrice } from '@beltway/contracts/catalog/event-bodies';
import type { Event } from '@beltway/contracts/catalog/events';
import { centsToText } from '@beltway/contracts/common/basics';
import { instantOf } from '@beltway/contracts/common/times';
import { isShownPicture } from '../../lib/event-form/image-field.tsx';
import { momentOf } from '../../lib/event-form/event-form.ts';
import { serverNow } from '../../lib/time/server-clock.ts';
import type { LaunchForm } from './launch-form.ts';

interface Host {
  id: number;
  name: string;
}

/** The event that the form currently describes, with the id 0, for a preview before the launch. */
export function previewOf(form: LaunchForm, host: Host): Event {
  const { hasTickets, ticketSalesStartTime: opens, ticketSalesEndTime: closes } = form;
  const cents = hasTickets ? TicketPrice.safeParse(form.ticketPrice).data : undefined;
  const total = hasTickets ? TicketCount.safeParse(form.totalTickets).data : undefined;
  return {
    id: 0,
    title: form.title.trim(),
    description: form.description.trim(),
    location: form.location.trim(),
    address: form.address.trim() || null,
    imageUrl: isShownPicture(form.imageUrl) ? form.imageUrl : null,
    tags: [...form.tags],
    eventDate: form.eventDate && instantOf(form.eventDate).toISOString(),
    eventLastDate: form.eventLastDate ? instantOf(form.eventLastDate).toISOString() : null,
    eventStartTime: form.eventStartTime || '00:00',
    eventEndTime: form.eventEndTime || null,
    hasTickets: hasTickets && cents !== undefined && total !== undefined,
    ticketSalesEnabled: hasTickets,
    ticketPrice: cents === undefined ? null : centsToText(cents),
    totalTickets: total ?? null,
    ...{ soldTickets: 0, heldTickets: 0, stockVersion: 0 },
    ticketSalesStartTime: opens ? momentOf(opens) : null,
    ticketSalesEndTime: closes ? momentOf(closes) : null,
    ...{ videoUrl: null, isSponsored: false, promotionLevel: 'none', isLivestream: false, livestreamUrl: null },
    ...{ livestreamStatus: 'scheduled', livestreamStartTime: null, livestreamEndTime: null, contactEmail: null },
    status: 'published',
    userId: host.id,
    organizerName: host.name,
    createdAt: new Date(serverNow()).toISOString(),
  };
}

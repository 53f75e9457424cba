import type { Event } from '@beltway/contracts/catalog/events';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { eventFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';
import { EventCard } from './event-card.tsx';

const noTickets = {
  hasTickets: false,
  ticketSalesEnabled: false,
  ticketPrice: null,
  totalTickets: null,
  soldTickets: 0,
};
const show = (changes: Partial<Event> = {}) => renderAt('/', <EventCard event={eventFixture(changes)} />);
beforeEach(() => vi.stubGlobal('open', vi.fn()));

describe('the primary button, in its order', () => {
  test('tickets left: buys them, even when sponsored and #food', () => {
    show({ isSponsored: true, tags: ['#food'] });
    const buy = screen.getByRole('link', { name: 'Buy Tickets - $25.00' });
    expect(buy.getAttribute('href')).toBe('/ticket-checkout?eventId=7');
    expect(screen.queryByText('Get Tickets')).toBeNull();
  });
  test('none left: a disabled Sold Out, even when sponsored', () => {
    show({ soldTickets: 100, isSponsored: true });
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Sold Out' }).disabled).toBe(true);
    expect(screen.queryByText('Get Tickets')).toBeNull();
  });
  test.each([{ hasTickets: false }, { ticketSalesEnabled: false }, { ticketPrice: null }])(
    'without one of the three conditions (%o), nothing is sold',
    (missing) => {
      show(missing);
      expect(screen.queryByText(/Buy Tickets|Sold Out/)).toBeNull();
      expect(screen.getByRole('button', { name: 'Learn More' })).toBeTruthy();
    },
  );
  test('sponsored: Get Tickets, to the checkout, before #food', () => {
    show({ ...noTickets, isSponsored: true, tags: ['#food'] });
    expect(screen.getByRole('link', { name: 'Get Tickets' }).getAttribute('href')).toBe('/ticket-checkout?eventId=7');
    expect(screen.queryByText('View Menu')).toBeNull();
  });
  test('#food: View Menu searches the web for title, menu and location in a new tab', async () => {
    show({ ...noTickets, tags: ['#Food'] });
    await userEvent.click(screen.getByRole('button', { name: 'View Menu' }));
    expect(window.open).toHaveBeenCalledWith(expect.any(String), '_blank', 'noopener');
    const [address] = vi.mocked(window.open).mock.calls[0] ?? [];
    expect(new URL(String(address)).searchParams.get('q')).toBe('Go-Go on the Roof menu U Street, Washington, DC');
  });
  test('otherwise Learn More shows title, date, location and description', async () => {
    show(noTickets);
    await userEvent.click(screen.getByRole('button', { name: 'Learn More' }));
    const dialog = await screen.findByRole('dialog', { name: 'Go-Go on the Roof' });
    expect(dialog.textContent).toContain('07/12/2030');
    expect(dialog.textContent).toContain('U Street, Washington, DC');
    expect(dialog.textContent).toContain('Live go-go band');
    const links = within(dialog).getAllByRole('link');
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'Directions (opens a map in a new tab)',
      'Open the event page',
    ]);
    expect(links[1]?.getAttribute('href')).toBe('/event/7');
  });
  test('Learn More shows when date or description are missing', async () => {
    show({ ...noTickets, eventDate: '', description: '' });
    await userEvent.click(screen.getByRole('button', { name: 'Learn More' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('Date TBD');
    expect(dialog.textContent).toContain('More details coming soon');
  });
  test('nothing is sold for a canceled event, for a past event, or before the sale starts', () => {
    show({ status: 'canceled', isSponsored: true });
    expect(screen.getByText('Canceled')).toBeTruthy();
    const over = { eventDate: '2020-01-01T05:00:00.000Z', ticketSalesEndTime: '2100-01-01T00:00:00.000Z' };
    show(over);
    expect([screen.getByText('Ended'), screen.getByText('This event is over.')]).toHaveLength(2);
    show({ ...over, ...noTickets, isSponsored: true });
    show({ ticketSalesStartTime: '2030-07-01T12:00:00.000Z' });
    expect(screen.queryByText(/Buy Tickets|Get Tickets/)).toBeNull();
    expect(screen.getByText(/On sale from 07\/01\/2030/)).toBeTruthy();
  });
});

describe('the card', () => {
  test('shows the price, the number available and the number sold', () => {
    show();
    expect(screen.getByText('58 available')).toBeTruthy();
    expect(screen.getByText('42 sold')).toBeTruthy();
    expect(screen.getByText('$25.00')).toBeTruthy();
  });
  test('leaves out the number sold if no ticket is sold', () => {
    show({ soldTickets: 0 });
    expect(screen.queryByText(/\d+ sold/)).toBeNull();
  });
  test('shows free entry only if the organizer stated it', () => {
    const { unmount } = show({ ...noTickets, tags: ['#free'] });
    expect(screen.queryByText('Free entry')).toBeNull();
    unmount();
    show({ ...noTickets, freeEntry: true });
    expect(screen.getByText('no ticket needed')).toBeTruthy();
  });
  test('has no tickets panel for an event without tickets', () => {
    show(noTickets);
    expect(screen.queryByText(/available/)).toBeNull();
  });
  test('shows a business handle and SPONSORED only for a sponsored event', () => {
    const { unmount } = show();
    expect(screen.getByText('@dmvexplorer')).toBeTruthy();
    expect(screen.queryByText('SPONSORED')).toBeNull();
    unmount();
    show({ isSponsored: true });
    expect(screen.getByText('@dmvbusiness')).toBeTruthy();
    expect(screen.getByText('SPONSORED')).toBeTruthy();
  });
  test('shows PREMIUM wherever an event with a paid premium promotion appears', () => {
    const { unmount } = show({ isSponsored: true, promotionLevel: 'featured' });
    expect(screen.queryByText('PREMIUM')).toBeNull();
    unmount();
    show({ isSponsored: true, promotionLevel: 'livestream' });
    expect(screen.getByText('PREMIUM')).toBeTruthy();
  });
  test('is one link to the event, with no button inside a link', () => {
    show();
    expect(screen.getByRole('link', { name: 'Go-Go on the Roof' }).getAttribute('href')).toBe('/event/7');
    expect(document.querySelector('a a, a button, button a, button button')).toBeNull();
  });
  test('shows that the last tickets are held by other buyers', () => {
    show({ soldTickets: 98, heldTickets: 2 });
    expect(screen.getByText(/in someone’s cart/)).toBeTruthy();
    expect(screen.getByText('2 available')).toBeTruthy();
  });
});

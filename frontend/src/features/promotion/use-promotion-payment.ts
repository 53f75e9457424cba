import type { ConfirmedPromotion, PaidLevel } from '@beltway/contracts/catalog/promotion';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { askUntilKnown, useIsOpen } from '../../lib/card-form/settling.ts';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { toast } from '../../ui/toast.ts';
import { confirmPromotion, isNotPaid, refreshUntilStarted } from './api.ts';
import { ofLevel, promotionSuccessPath } from './packages.ts';
import { paymentMemory } from './payment-memory.ts';
import { texts } from './texts.en.ts';

/** What follows the card form: the promotion is confirmed, a toast says so, and one is on the home page. */
export function usePromotionPayment(promotion: { userId: number; eventId: number; level: PaidLevel }) {
  const { eventId, level } = promotion;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isOpen = useIsOpen();

  /** Somebody who has left this page meanwhile is not moved. */
  const goTo = (path: string) => {
    if (isOpen.current) void navigate(path, { replace: true });
  };
  const conclude = ({ status }: ConfirmedPromotion, paymentIntentId: string) => {
    // Processed by the provider still, or given back: the next page tells.
    if (status !== 'paid') return goTo(promotionSuccessPath(level, eventId, paymentIntentId));
    paymentMemory.clear(promotion);
    toast({
      ...ofLevel(level).paid,
      ...(isOpen.current && { at: '/' }),
      ...(level === 'livestream' && { link: { to: `/studio/${eventId}`, text: textsNow(texts)('openStudio') } }),
    });
    void refreshUntilStarted(queries, eventId, level);
    goTo('/');
  };

  return {
    /** From here on money may be taken. */
    onPaying: (paymentIntentId: string) => paymentMemory.set(promotion, paymentIntentId),
    async onPaid(paymentIntentId: string) {
      // The money was taken. If this call fails, the provider's webhook starts the promotion; the next page waits for it.
      const confirmed = await confirmPromotion(paymentIntentId).catch(() => null);
      if (confirmed) conclude(confirmed, paymentIntentId);
      else goTo(promotionSuccessPath(level, eventId, paymentIntentId));
    },
    onUnclear: (paymentIntentId: string, waiting: () => void) =>
      askUntilKnown(
        async () => {
          try {
            conclude(await confirmPromotion(paymentIntentId), paymentIntentId);
            return 'paid';
          } catch (error) {
            if (isNotPaid(error)) return 'unpaid';
            throw error;
          }
        },
        () => isOpen.current,
        waiting,
      ),
  };
}

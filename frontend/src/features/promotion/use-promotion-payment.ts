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

/** The steps after the card form: confirms the promotion, shows a toast and opens the home page. */
export function usePromotionPayment(promotion: { userId: number; eventId: number; level: PaidLevel }) {
  const { eventId, level } = promotion;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isOpen = useIsOpen();

  /** Navigates only while the buyer is still on this page. */
  const goTo = (path: string) => {
    if (isOpen.current) void navigate(path, { replace: true });
  };
  const conclude = ({ status }: ConfirmedPromotion, paymentIntentId: string) => {
    // The payment is still processing or was refunded. The next page shows the outcome.
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
    /** Called just before the card may be charged, to remember the payment. */
    onPaying: (paymentIntentId: string) => paymentMemory.set(promotion, paymentIntentId),
    async onPaid(paymentIntentId: string) {
      // The card was charged. If this call fails, the webhook starts the promotion, and the next page waits for that.
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

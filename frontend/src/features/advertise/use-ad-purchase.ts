import { AdBusinessInfo, type AdPackage } from '@beltway/contracts/payments/ads';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { askUntilKnown, useIsOpen } from '../../lib/card-form/settling.ts';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { useSession } from '../../lib/session/session.ts';
import { useAction } from '../../lib/actions/use-action.ts';
import { askAdPayment, createAdPayment, errorsOfBusiness, isPaidAlready } from './api.ts';
import { adDraft, type AdDraft, type TypedBusiness } from './draft.ts';
import { adSuccessPath } from './paths.ts';
import { texts } from './texts.en.ts';

/** Buying one package: what is typed, its payment, and what follows. */
export function useAdPurchase(offer: AdPackage) {
  const userId = useSession().user?.id ?? 0;
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => adDraft.read(userId, offer.id));
  /** As `draft`, also between two renderings. */
  const latest = useRef(draft);
  const [isAtPayment, setAtPayment] = useState(false);
  const isOpen = useIsOpen();

  const keep = (changed: Partial<AdDraft>) => {
    latest.current = { ...latest.current, ...changed };
    adDraft.write(userId, latest.current);
    setDraft(latest.current);
  };
  /** Somebody who has left this page meanwhile is not moved. */
  const toOutcome = (clientSecret: string) => {
    if (isOpen.current) void navigate(adSuccessPath(offer.id, clientSecret), { replace: true });
  };

  const creating = useAction({
    // One after the other: the last one says what counts.
    scope: { id: 'ad-payment' },
    mutationFn: (business: AdBusinessInfo) => createAdPayment(offer, latest.current.key, business),
    onSuccess: ({ clientSecret }) => keep({ clientSecret }),
    failed: (error) => {
      const t = textsNow(texts);
      return isPaidAlready(error) || Object.keys(errorsOfBusiness(error)).length > 0
        ? null
        : { title: t('setupError'), description: t('setupErrorWhy') };
    },
    onError: (error) => {
      if (isPaidAlready(error)) {
        const { clientSecret } = latest.current;
        if (clientSecret !== null) return toOutcome(clientSecret);
        // Paid under this key, by whom we cannot say any more: the next try is another payment.
        return keep(adDraft.anew(latest.current));
      }
    },
  });

  /** Who pressed on waits for the card form. */
  const isContinuing = useRef(false);
  const create = (business: AdBusinessInfo) =>
    creating.mutate(business, { onSuccess: () => isContinuing.current && setAtPayment(true) });

  /** The payment is made as soon as name and address are there. */
  const prepare = () => {
    const { clientSecret, business } = latest.current;
    const known = AdBusinessInfo.safeParse(business).data;
    if (clientSecret === null && known && creating.isIdle) create(known);
  };
  const atStart = useRef(prepare);
  useEffect(() => atStart.current(), []);

  return {
    draft,
    isAtPayment,
    creating,
    prepare,
    onTyped: (business: TypedBusiness) => keep({ business }),
    /** The last try could not begin the payment: the same once more, under the same key. */
    again: () => creating.variables && create(creating.variables),
    onContinue(business: AdBusinessInfo) {
      isContinuing.current = true;
      create(business);
    },
    onEdit() {
      isContinuing.current = false;
      setAtPayment(false);
    },
    onPaid: (clientSecret: string) => toOutcome(clientSecret),
    onUnclear: (clientSecret: string, waiting: () => void) =>
      askUntilKnown(
        async () => {
          const { status } = await askAdPayment(clientSecret);
          if (status === 'open' || status === 'canceled') return 'unpaid';
          toOutcome(clientSecret);
          return 'paid';
        },
        () => isOpen.current,
        waiting,
      ),
  };
}

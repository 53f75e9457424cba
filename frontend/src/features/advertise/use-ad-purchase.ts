import { AdBusinessInfo, type AdPackage } from '@beltway/contracts/payments/ads';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { askUntilKnown, useIsOpen } from '../../lib/card-form/settling.ts';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { useSession } from '../../lib/session/session.ts';
import { useAction } from '../../lib/actions/use-action.ts';
import { askAdPayment, createAdPayment, errorsOfBusiness, isPaidAlready } from './api.ts';
import { adDraft, ToPay, type AdDraft, type TypedBusiness } from './draft.ts';
import { adSuccessPath } from './paths.ts';
import { texts } from './texts.en.ts';

/** The purchase of one package: form, payment and the steps after it. */
export function useAdPurchase(offer: AdPackage) {
  const userId = useSession().user?.id ?? 0;
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => adDraft.read(userId, offer.id));
  /** The latest draft. Callbacks need it between renders, when `draft` is outdated. */
  const latest = useRef(draft);
  const [isAtPayment, setAtPayment] = useState(false);
  const isOpen = useIsOpen();

  const keep = (changed: Partial<AdDraft>) => {
    latest.current = { ...latest.current, ...changed };
    adDraft.write(userId, latest.current);
    setDraft(latest.current);
  };
  /** Navigates only while the buyer is still on this page. */
  const toOutcome = (clientSecret: string) => {
    if (isOpen.current) void navigate(adSuccessPath(offer.id, clientSecret), { replace: true });
  };

  const creating = useAction({
    // Requests run one after another, so that the last response wins.
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
        // The payment with this key was made, but this tab lacks the payment's secret and cannot show the payment. The
        // next attempt makes a new payment.
        return keep(adDraft.anew(latest.current));
      }
    },
  });

  /** True once the buyer has pressed Continue and waits for the card form. */
  const isContinuing = useRef(false);
  /** Whether the form still has what was sent: a changed address must be sent before the buyer pays. */
  const isStill = (sent: AdBusinessInfo) =>
    JSON.stringify(AdBusinessInfo.safeParse(latest.current.business).data) === JSON.stringify(sent);
  const create = (business: AdBusinessInfo) =>
    creating.mutate(business, {
      onSuccess: () => isContinuing.current && isStill(business) && setAtPayment(true),
    });

  /** Creates the payment once the details of the business are valid. */
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
    /** Tries again to begin the payment, with the same key and what the form has now. */
    again() {
      const business = ToPay.safeParse(latest.current.business).data ?? creating.variables;
      if (business) create(business);
    },
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

import type { Event } from '@beltway/contracts/catalog/events';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { orderPath } from '../../lib/orders/orders.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { texts } from './texts.en.ts';

interface IdenticalOrderDialogProps {
  event: Event;
  quantity: number;
  /** The earlier order, which is paid. */
  before: { orderId: string; boughtAt: string };
  onConfirm: () => void;
  onBack: () => void;
}

/** Asks whether the buyer wants the same tickets again. */
export function IdenticalOrderDialog({ event, quantity, before, onConfirm, onBack }: IdenticalOrderDialogProps) {
  const t = useTexts(texts);
  return (
    <ConfirmDialog
      title={t('again')}
      action={t('buyAgain', { count: quantity, number: String(quantity) })}
      variant="primary"
      keep={t('notAgain')}
      mutation={{ isPending: false, error: null, mutate: onConfirm }}
      onClose={onBack}
    >
      <p>
        {t('boughtBefore', {
          ...{ count: quantity, number: String(quantity), title: event.title },
          when: formatMoment(before.boughtAt),
        })}
      </p>
      <p>
        <TextLink to={orderPath({ eventId: event.id, quantity, orderId: before.orderId })}>{t('seeBefore')}</TextLink>
      </p>
    </ConfirmDialog>
  );
}

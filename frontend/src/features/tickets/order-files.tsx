import CalendarPlus from 'lucide-react/icons/calendar-plus';
import CalendarX from 'lucide-react/icons/calendar-x';
import Download from 'lucide-react/icons/download';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { saveOrderFile } from '../../lib/orders/orders.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { useAction } from '../../lib/actions/use-action.ts';
import { texts } from './texts.en.ts';

const icon = { 'aria-hidden': true, className: 'size-4' };

interface OrderFilesProps {
  orderId: string;
  isVoid?: boolean;
  /** Whether the event currently has no date. */
  isPostponed?: boolean;
  /** Buttons between the two files, so that all buttons are in the order in which buyers need them. */
  children?: ReactNode;
}

/**
 * Buttons for the order's calendar file and PDF. For void tickets or a postponed event, the calendar file removes the
 * entry.
 */
export function OrderFiles({ orderId, isVoid = false, isPostponed = false, children }: OrderFilesProps) {
  const t = useTexts(texts);
  const removes = isVoid || isPostponed;
  const save = useAction({
    mutationFn: (name: 'tickets.pdf' | 'event.ics') => saveOrderFile(orderId, name),
    failed: t('notSaved'),
  });
  const isSaving = (name: string) => save.isPending && save.variables === name;
  return (
    <>
      <Button
        variant="secondary"
        className={cx('max-sm:px-3', isVoid && 'max-sm:col-span-full')}
        pending={isSaving('event.ics')}
        onClick={() => save.mutate('event.ics')}
      >
        {!isSaving('event.ics') && (removes ? <CalendarX {...icon} /> : <CalendarPlus {...icon} />)}
        {removes ? t('removeFromCalendar') : t('addToCalendar')}
      </Button>
      {children}
      {!isVoid && (
        <Button
          variant="secondary"
          className="max-sm:px-3"
          pending={isSaving('tickets.pdf')}
          onClick={() => save.mutate('tickets.pdf')}
        >
          {!isSaving('tickets.pdf') && <Download aria-hidden className="size-4" />}
          {t('pdf')}
        </Button>
      )}
    </>
  );
}

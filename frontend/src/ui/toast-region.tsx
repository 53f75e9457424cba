import X from 'lucide-react/icons/x';
import * as Toast from '@radix-ui/react-toast';
import { useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { textsNow } from '../lib/i18n/catalog.ts';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { texts } from './texts.en.ts';
import { keepPlaced } from './toast-place.ts';
import { dismissToast, TOAST_DURATION, type ToastItem } from './toast.ts';

/** The announced text: "Login failed. Invalid email or password." */
const spoken = ({ title, description }: ToastItem): string =>
  description ? `${/[.!?]$/.test(title) ? title : `${title}.`} ${description}` : title;

interface ToastRegionProps {
  toasts: readonly ToastItem[];
  /** Of the dialog on top; null when the page shows them. */
  slot: HTMLElement | null;
}

/** Shows the toasts, on the page or in a dialog's slot. F8 focuses them, a swipe to the right of 50 px dismisses. */
export function ToastRegion({ toasts, slot }: ToastRegionProps) {
  return (
    <Toast.Provider
      duration={TOAST_DURATION}
      swipeDirection="right"
      swipeThreshold={50}
      label={textsNow(texts)('notification')}
    >
      {toasts.map((item) => (
        <Toast.Root
          key={item.id}
          open={item.open}
          onOpenChange={(isOpen) => !isOpen && dismissToast(item.id)}
          type={item.variant === 'destructive' ? 'foreground' : 'background'}
          className={cx(
            'pointer-events-auto flex animate-rise items-start gap-3 rounded-md border p-4 pe-2',
            slot ? 'sm:py-2.5' : 'shadow-float',
            'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform',
            item.variant === 'destructive'
              ? 'border-transparent bg-danger text-on-danger'
              : 'border-line bg-inverse text-on-inverse',
          )}
        >
          {!slot && <Placed />}
          <div data-radix-toast-announce-exclude="" data-radix-toast-announce-alt={spoken(item)} className="flex-1">
            <Toast.Title className="font-strong">{item.title}</Toast.Title>
            {item.description && (
              <Toast.Description className="mt-0.5 wrap-anywhere text-note in-data-tight:line-clamp-1">
                {item.description}
              </Toast.Description>
            )}
            {item.link && (
              <Toast.Action asChild altText={item.link.text}>
                <a href={item.link.to} className="inline-flex min-h-11 items-center underline underline-offset-4">
                  {item.link.text}
                </a>
              </Toast.Action>
            )}
          </div>
          <Toast.Close asChild>
            <IconButton label={textsNow(texts)('dismiss')} className="-my-2.5 hover:opacity-70">
              <X aria-hidden />
            </IconButton>
          </Toast.Close>
        </Toast.Root>
      ))}
      {slot ? createPortal(<Toast.Viewport className={inDialog} />, slot) : <Toast.Viewport className={onPage} />}
    </Toast.Provider>
  );
}

function Placed() {
  const mark = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const toast = mark.current?.closest('li');
    return toast ? keepPlaced(toast) : undefined;
  }, []);
  return <span ref={mark} hidden />;
}

const inDialog = 'w-full max-w-[420px] outline-none max-sm:mx-auto';
const onPage = cx(
  'pointer-events-none fixed right-0 z-60 w-full max-w-[420px] px-4 py-2 outline-none md:py-4',
  'top-[calc(4rem+env(safe-area-inset-top))] data-[place^=bottom]:top-auto',
  'data-[place^=bottom]:bottom-[calc(var(--dock)+env(safe-area-inset-bottom))] md:data-[place^=bottom]:bottom-0',
  'data-[place$=left]:left-0 data-[place$=left]:right-auto',
);

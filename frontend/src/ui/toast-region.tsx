import X from 'lucide-react/icons/x';
import * as Toast from '@radix-ui/react-toast';
import { useLayoutEffect } from 'react';
import { createPortal } from 'react-dom';
import { textsNow } from '../lib/i18n/catalog.ts';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { texts } from './texts.en.ts';
import { dismissToast, TOAST_DURATION, type ToastItem } from './toast.ts';

/** The announced text: "Login failed. Invalid email or password." */
const spoken = ({ title, description }: ToastItem): string =>
  description ? `${/[.!?]$/.test(title) ? title : `${title}.`} ${description}` : title;

interface ToastRegionProps {
  toasts: readonly ToastItem[];
  /** The top dialog's slot; null when the page shows the toasts. */
  slot: HTMLElement | null;
  /** The page's strip for toasts; null on a screen without a header. */
  strip: HTMLElement | null;
}

/**
 * Shows the toasts, in the page's strip or in a dialog's slot. F8 focuses them. A swipe of 50 px to the right dismisses
 * a toast.
 */
export function ToastRegion({ toasts, slot, strip }: ToastRegionProps) {
  useStripHeight(strip);
  const place = slot ?? strip;
  const viewport = <Toast.Viewport className={slot ? inDialog : onPage} />;
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
            'flex animate-rise items-start gap-3 rounded-md border p-4 py-2.5 pe-2',
            'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform',
            item.variant === 'destructive'
              ? 'border-transparent bg-danger text-on-danger'
              : 'border-line bg-inverse text-on-inverse',
          )}
        >
          <div data-radix-toast-announce-exclude="" data-radix-toast-announce-alt={spoken(item)} className="flex-1">
            <Toast.Title className="font-strong">{item.title}</Toast.Title>
            {item.description && (
              <Toast.Description className="mt-0.5 wrap-anywhere text-note">{item.description}</Toast.Description>
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
      {place ? createPortal(viewport, place) : viewport}
    </Toast.Provider>
  );
}

/**
 * Sets the CSS variable `--strip` to the strip's height, so that elements that stick below the header move down with
 * the page.
 */
function useStripHeight(strip: HTMLElement | null): void {
  useLayoutEffect(() => {
    if (!strip || typeof ResizeObserver === 'undefined') return undefined;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty('--strip', `${strip.offsetHeight}px`));
    observer.observe(strip);
    return () => {
      observer.disconnect();
      style.removeProperty('--strip');
    };
  }, [strip]);
}

const inDialog = 'w-full max-w-[420px] outline-none max-sm:mx-auto';
const onPage = 'ms-auto w-full max-w-[420px] outline-none has-[li]:pb-2 max-sm:mx-auto';

import { X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { dismissToast, TOAST_DURATION, type ToastItem } from './toast.ts';

/** F8 moves the focus there, a swipe to the right of 50 px dismisses. */
export function ToastRegion({ toasts }: { toasts: readonly ToastItem[] }) {
  return (
    <Toast.Provider duration={TOAST_DURATION} swipeDirection="right" swipeThreshold={50} label="Notification">
      {toasts.map(({ id, open, title, description, variant = 'default' }) => (
        <Toast.Root
          key={id}
          open={open}
          onOpenChange={(isOpen) => !isOpen && dismissToast(id)}
          type={variant === 'destructive' ? 'foreground' : 'background'}
          className={cx(
            'pointer-events-auto flex animate-rise items-start gap-3 rounded-md border p-4 pr-2 shadow-float',
            'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform',
            variant === 'destructive'
              ? 'border-transparent bg-danger text-on-danger'
              : 'border-line bg-inverse text-on-inverse',
          )}
        >
          <div className="flex-1 py-0.5">
            <Toast.Title className="font-strong">{title}</Toast.Title>
            {description && <Toast.Description className="mt-0.5 text-note">{description}</Toast.Description>}
          </div>
          <Toast.Close asChild>
            <IconButton label="Dismiss" className="-my-2 hover:opacity-70">
              <X aria-hidden />
            </IconButton>
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className="pointer-events-none fixed bottom-[calc(var(--dock)+env(safe-area-inset-bottom))] right-0 z-60 w-full max-w-[420px] p-4 md:bottom-0" />
    </Toast.Provider>
  );
}

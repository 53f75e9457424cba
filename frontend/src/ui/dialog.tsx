import X from 'lucide-react/icons/x';
import * as RadixDialog from '@radix-ui/react-dialog';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { textsNow } from '../lib/i18n/catalog.ts';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { texts } from './texts.en.ts';
import { toastSlot } from './toast.ts';

interface DialogProps {
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  /** The actions, always visible below the scrolling content. */
  footer?: ReactNode;
  /** `wide` for two-column forms, `split` for a form beside a preview. */
  size?: 'normal' | 'wide' | 'split';
  children: ReactNode;
}

const overlay = 'fixed inset-0 z-40 bg-scrim animate-fade';

/**
 * Returns the focus to the element that had it when the dialog opened. Radix does this only for its own triggers. The
 * element is read while rendering, before a field in the dialog takes the focus.
 */
function Panel({ onEscape, ...props }: ComponentProps<typeof RadixDialog.Content> & { onEscape: () => void }) {
  const [opener] = useState(() => document.activeElement);
  return (
    <RadixDialog.Content
      {...props}
      // If the dialog contains a toast, Radix would close only the toast on Escape.
      onKeyDown={(press) => press.key === 'Escape' && !press.defaultPrevented && onEscape()}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        // Does not move the focus if the next page already has it.
        const isTaken = document.activeElement?.isConnected === true && document.activeElement !== document.body;
        if (!isTaken && opener instanceof HTMLElement && opener.isConnected) opener.focus();
      }}
    />
  );
}

const WIDTHS = {
  normal: 'sm:w-[min(92vw,32rem)]',
  wide: 'sm:w-[min(92vw,46rem)]',
  split: 'sm:w-[min(92vw,46rem)] lg:w-[min(94vw,72rem)]',
};

/**
 * An open dialog, at the bottom edge on a phone and centered on a desktop. Traps and returns the focus; Escape closes
 * it.
 */
export function Dialog({ onClose, title, description, footer, size = 'normal', children }: DialogProps) {
  return (
    <RadixDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlay} />
        <Panel
          onEscape={onClose}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={cx(
            'fixed z-50 flex max-h-[92dvh] animate-rise flex-col overflow-x-hidden overflow-y-auto border border-line bg-raised shadow-float',
            'inset-x-0 bottom-0 rounded-t-lg sm:inset-x-auto sm:bottom-auto sm:left-1/2 sm:top-1/2 sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-lg',
            WIDTHS[size],
          )}
        >
          <header className="flex items-start justify-between gap-4 px-5 pb-3 pt-5 sm:px-6">
            <div className="min-w-0 wrap-anywhere">
              <RadixDialog.Title className="text-heading">{title}</RadixDialog.Title>
              {description && (
                <RadixDialog.Description className="mt-1.5 text-ink-soft">{description}</RadixDialog.Description>
              )}
            </div>
            <RadixDialog.Close asChild>
              <IconButton label={textsNow(texts)('close')} className="-me-2 -mt-1.5">
                <X aria-hidden />
              </IconButton>
            </RadixDialog.Close>
          </header>
          {/*
            On a low screen, such as a zoomed phone's, the whole dialog scrolls, because header and buttons would
            leave too little room for the content. The content is `relative`, so that elements for screen readers only
            scroll with it and do not make the whole dialog scroll.
          */}
          <div className="relative flex-1 px-5 pb-5 sm:px-6 [@media(height>=32rem)]:min-h-0 [@media(height>=32rem)]:overflow-y-auto [@media(height<32rem)]:flex-none">
            {children}
          </div>
          {footer ? (
            <footer className="flex flex-wrap items-center justify-end gap-3 border-t border-line px-5 py-4 pb-[max(1rem,env(safe-area-inset-bottom))] max-sm:*:grow sm:px-6">
              {/* The slot is as wide as its text, and a button that does not fit wraps. */}
              <div ref={toastSlot} className="hidden w-full has-[li]:block sm:w-auto sm:flex-1 sm:basis-64" />
              {footer}
            </footer>
          ) : (
            <div ref={toastSlot} className="px-5 has-[li]:pb-4 sm:px-6" />
          )}
        </Panel>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

interface SheetProps {
  onClose: () => void;
  title: string;
  children: ReactNode;
}

/** A panel sliding in from the right. */
export function Sheet({ onClose, title, children }: SheetProps) {
  return (
    <RadixDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlay} />
        <Panel
          onEscape={onClose}
          aria-describedby={undefined}
          className="fixed inset-y-0 right-0 z-50 flex w-[min(88vw,24rem)] animate-from-right flex-col overflow-y-auto border-l border-line bg-raised p-5 shadow-float"
        >
          <div className="mb-4 flex items-center justify-between">
            <RadixDialog.Title className="text-title">{title}</RadixDialog.Title>
            <RadixDialog.Close asChild>
              <IconButton label={textsNow(texts)('close')} className="-me-2">
                <X aria-hidden />
              </IconButton>
            </RadixDialog.Close>
          </div>
          {children}
          <div ref={toastSlot} className="mt-auto" />
        </Panel>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

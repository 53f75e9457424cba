import { cloneElement, useEffect, useId, useRef, useState, type ComponentProps, type ReactElement } from 'react';
import { createPortal } from 'react-dom';

/**
 * The first tooltip opens after 700 ms. Within 300 ms after a tooltip closed, the next tooltip opens immediately
 * (frontend/PRODUCT.md#toasts-and-tooltips).
 */
const DELAY = 700;
const SKIP = 300;
let lastClosed = 0;

interface TooltipProps {
  text: string;
  /** The button, with its own accessible name. */
  children: ReactElement<ComponentProps<'button'>>;
}

/** A button's tooltip. A custom component, because Radix's tooltip has more code than the header that would use it. */
export function Tooltip({ text, children }: TooltipProps) {
  const id = useId();
  const timer = useRef(0);
  const [at, setAt] = useState<DOMRect | null>(null);
  const show = (target: Element) => setAt(target.getBoundingClientRect());
  const hide = () => {
    clearTimeout(timer.current);
    setAt((before) => {
      if (before) lastClosed = Date.now();
      return null;
    });
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!at) return;
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && hide();
    document.addEventListener('keydown', onKey);
    window.addEventListener('scroll', hide, { passive: true, once: true });
    return () => {
      document.removeEventListener('keydown', onKey);
      window.removeEventListener('scroll', hide);
    };
  }, [at]);
  return (
    <>
      {cloneElement(children, {
        ...(at && { 'aria-describedby': id }),
        onPointerEnter: ({ pointerType, currentTarget }) => {
          if (pointerType === 'touch') return;
          timer.current = window.setTimeout(() => show(currentTarget), Date.now() - lastClosed < SKIP ? 0 : DELAY);
        },
        onPointerLeave: hide,
        onPointerDown: hide,
        onFocus: ({ currentTarget }) => currentTarget.matches(':focus-visible') && show(currentTarget),
        onBlur: hide,
      })}
      {at &&
        createPortal(
          <span
            id={id}
            role="tooltip"
            style={{ top: at.bottom + 6, left: Math.min(at.left + at.width / 2, window.innerWidth - 96) }}
            className="pointer-events-none fixed z-50 w-max max-w-xs -translate-x-1/2 animate-fade rounded-sm bg-inverse px-2.5 py-1.5 text-note text-on-inverse"
          >
            {text}
          </span>,
          document.body,
        )}
    </>
  );
}

import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { Input } from './field.tsx';
import { cx } from './cx.ts';

interface ComboboxProps {
  /** The typed text, or the label of the chosen option. */
  text: string;
  /** The options that match the text. */
  options: readonly string[];
  placeholder?: string;
  maxLength?: number;
  /** The accessible name of the list. */
  listLabel: string;
  onType: (text: string) => void;
  onChoose: (option: string) => void;
  /** Called when the focus leaves the field. */
  onLeave?: () => void;
}

/** A text input with a list of options to choose from, inside a Field (ARIA combobox). */
export function Combobox({ text, options, listLabel, onType, onChoose, onLeave, ...rest }: ComboboxProps) {
  const list = useId();
  const listed = useRef<HTMLUListElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const isShown = isOpen && options.length > 0;
  // Handles Escape in the capture phase, before the dialog does, so that Escape closes the list and not the form.
  useEffect(() => {
    if (!isShown) return;
    const onKey = (press: globalThis.KeyboardEvent) => {
      if (press.key !== 'Escape') return;
      press.stopPropagation();
      setOpen(false);
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [isShown]);
  useEffect(() => {
    listed.current?.children[active]?.scrollIntoView?.({ block: 'nearest' });
  }, [active]);
  const choose = (option: string) => {
    setOpen(false);
    setActive(-1);
    onChoose(option);
  };
  const onKeyDown = (press: KeyboardEvent) => {
    const step = press.key === 'ArrowDown' ? 1 : press.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && options.length > 0) {
      press.preventDefault();
      setOpen(true);
      setActive((active + step + (active < 0 && step < 0 ? 1 : 0) + options.length) % options.length);
    }
    if (press.key !== 'Enter' || !isShown) return;
    // Enter chooses an option instead of submitting the form.
    press.preventDefault();
    const option = options[Math.max(active, 0)];
    if (option !== undefined) choose(option);
  };
  return (
    <div className="relative">
      <Input
        {...rest}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? list : undefined}
        aria-activedescendant={isShown && active >= 0 ? `${list}-${active}` : undefined}
        autoComplete="off"
        value={text}
        onChange={({ target }) => {
          setOpen(true);
          setActive(-1);
          onType(target.value);
        }}
        onClick={() => setOpen(true)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setOpen(false);
          setActive(-1);
          onLeave?.();
        }}
      />
      {isShown && (
        <ul
          ref={listed}
          id={list}
          role="listbox"
          aria-label={listLabel}
          className="absolute inset-x-0 top-full z-10 mt-1 max-h-64 overflow-y-auto rounded-md border border-line bg-raised p-1.5 shadow-float"
        >
          {options.map((option, at) => (
            // eslint-disable-next-line jsx-a11y-x/click-events-have-key-events -- the input has the keys
            <li
              key={option}
              id={`${list}-${at}`}
              role="option"
              aria-selected={at === active}
              // Keeps the focus in the field.
              onMouseDown={(press) => press.preventDefault()}
              onClick={() => choose(option)}
              className={cx(
                'flex min-h-11 cursor-pointer items-center rounded-sm px-3 wrap-anywhere hover:bg-ink/8',
                at === active && 'bg-ink/8',
              )}
            >
              {option}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

import { useCallback, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** The state of a history entry that was made by opening a dialog: the entry before it is the page below. */
interface EntryState {
  isDialog?: boolean;
}

/** For a link to /auth that leads to a dialog afterwards: the dialog's entry is then like one that was opened on its page. */
export const DIALOG_ENTRY: EntryState = { isDialog: true };
export const isDialogEntry = (state: unknown): boolean => (state as EntryState | null)?.isDialog === true;

/** Milliseconds after which going back within a page has failed; it usually takes a few. */
const GIVE_UP_MS = 500;

/**
 * A dialog that is part of the address, as `#name`: Back closes it, a reload shows it again, a link can open it. A dialog that opens
 * another one is replaced by it.
 */
export function useDialogEntry(name: string): readonly [isOpen: boolean, setOpen: (open: boolean) => void] {
  const { pathname, search, hash, key, state } = useLocation();
  const navigate = useNavigate();
  const isOpen = hash === `#${name}`;
  const isMade = isDialogEntry(state);
  // Going back takes a moment: a second press must not go back twice.
  const isLeaving = useRef(false);
  useEffect(() => {
    isLeaving.current = false;
    return () => {
      isLeaving.current = false; // by then another page has the address
    };
  }, [key]);

  const setOpen = useCallback(
    (open: boolean) => {
      if (open) {
        // Opened already; the first press is not rendered yet.
        if (window.location.hash === `#${name}`) return;
        return void navigate({ pathname, search, hash: name }, { state: DIALOG_ENTRY, replace: isMade });
      }
      // Later, so that a link in the dialog navigates first.
      queueMicrotask(() => {
        if (window.location.hash !== `#${name}` || isLeaving.current) return;
        isLeaving.current = true;
        const leaveHere = () => void navigate({ pathname, search }, { replace: true });
        if (!isMade) return leaveHere();
        void navigate(-1);
        // A tab that was copied or restored may have nothing to go back to.
        setTimeout(() => isLeaving.current && window.location.hash === `#${name}` && leaveHere(), GIVE_UP_MS);
      });
    },
    [name, pathname, search, isMade, navigate],
  );
  return [isOpen, setOpen];
}

import { useCallback, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** Of an entry that was made by opening a dialog: going back from it leads to the page below the dialog. */
interface EntryState {
  isDialog?: boolean;
}

/** For the entry of /auth that leads to a dialog: with it the dialog's entry is as if it had been opened from the page below. */
export const DIALOG_ENTRY: EntryState = { isDialog: true };
export const isDialogEntry = (state: unknown): boolean => (state as EntryState | null)?.isDialog === true;

/** Going back within a page takes some milliseconds. */
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
  // Going back takes a moment: whoever presses twice leaves one entry, not two.
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
        // Pressed twice before the first press is shown.
        if (window.location.hash === `#${name}`) return;
        return void navigate({ pathname, search, hash: name }, { state: DIALOG_ENTRY, replace: isMade });
      }
      // After a link that was pressed in the dialog has led elsewhere.
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

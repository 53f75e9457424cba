import { Button } from '../../ui/button.tsx';

/** Above a form that was filled from a draft. */
export function DraftNote({ onStartOver }: { onStartOver: () => void }) {
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-4 rounded-md bg-sunken py-1 ps-4 pe-1 text-note">
      Your draft is as you left it.
      <Button variant="quiet" className="px-4 text-note" onClick={onStartOver}>
        Start over
      </Button>
    </p>
  );
}

/** Beside the picture, when the draft had one that the browser could not keep. */
export const LOST_PHOTO = 'Your photo was too large for this browser to keep. Please choose it again.';

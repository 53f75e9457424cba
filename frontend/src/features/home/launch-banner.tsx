import { Button } from '../../ui/button.tsx';

interface LaunchBannerProps {
  onLaunch: () => void;
  onContact: () => void;
}

/** For those who put something on, and those who have a question. */
export const LaunchBanner = ({ onLaunch, onContact }: LaunchBannerProps) => (
  <section
    aria-label="Launch an event or contact us"
    className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 rounded-lg bg-accent-soft p-4 md:px-6"
  >
    <div>
      <h2 className="text-title">Putting something on?</h2>
      <p className="text-note text-ink-soft">A title, a date, a place: it is public in minutes. Or ask us first.</p>
    </div>
    <div className="flex flex-wrap gap-2">
      <Button variant="secondary" onClick={onLaunch}>
        Launch My Event
      </Button>
      <Button variant="secondary" onClick={onContact}>
        Contact Us
      </Button>
    </div>
  </section>
);

import { Meta } from '../../ui/meta.tsx';

interface ProgressBarProps {
  /** The accessible name of the bar. */
  label: string;
  value: number;
  max: number;
  /** The progress in words, shown below the bar. */
  text: string;
}

/** A person's progress, as a bar and in words. */
export const ProgressBar = ({ label, value, max, text }: ProgressBarProps) => (
  <div className="grid gap-1">
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={text}
      className="h-2 overflow-hidden rounded-full bg-sunken"
    >
      <div className="h-full rounded-full bg-accent-ink" style={{ width: `${(100 * value) / max}%` }} />
    </div>
    <Meta className="tabular">{text}</Meta>
  </div>
);

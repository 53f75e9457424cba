/** The mark: the ring road, with one way in. */
export const Mark = ({ className }: { className?: string }) => (
  <svg aria-hidden viewBox="0 0 32 32" className={className}>
    <circle
      cx="16"
      cy="16"
      r="11"
      fill="none"
      stroke="currentColor"
      strokeWidth="6"
      strokeDasharray="57 12.1"
      transform="rotate(-13 16 16)"
    />
  </svg>
);

/** The mark: the ring road, with one way in; it looks up to the right unless `turn` (degrees) says otherwise. */
export const Mark = ({ className, turn = 0 }: { className?: string; turn?: number }) => (
  <svg aria-hidden viewBox="0 0 32 32" className={className}>
    <circle
      cx="16"
      cy="16"
      r="11"
      fill="none"
      stroke="currentColor"
      strokeWidth="6"
      strokeDasharray="57 12.1"
      transform={`rotate(${turn - 13} 16 16)`}
    />
  </svg>
);

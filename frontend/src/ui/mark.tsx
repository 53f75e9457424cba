/** The logo: a ring road with one entrance. The entrance points up and right; `turn` rotates it, in degrees. */
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

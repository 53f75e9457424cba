/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
  return sum >>> 0;
}

/** Spreads every bit over all others (the finalizer of MurmurHash3). */
function mix(bits: number): number {
  let sum = bits;
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  sum = Math.imul(sum ^ (sum >>> 13), 0xc2b2ae35);
  return (sum ^ (sum >>> 16)) >>> 0;
}

/**
 * Rendezvous (highest random weight) hashing, Thaler and Ravishankar 1998: each key belongs to the node with the
 * highest score for this key. The distribution is even and identical in every process. When a node is removed, only its
 * own keys move. Returns a function from key to node.
 */
export function rendezvous(nodes: readonly string[]): (key: string | number) => string | undefined {
  const seeds = [...nodes].sort().map((node) => ({ node, seed: mix(hash(node)) }));
  return (key) => {
    const bits = mix(hash(String(key)));
    let best: string | undefined;
    let highest = -1;
    for (const { node, seed } of seeds) {
      const score = mix(bits ^ seed);
      if (score > highest) [best, highest] = [node, score];
    }
    return best;
  };
}

import type sharp from 'sharp';

let loading: Promise<typeof sharp> | undefined;

/** Loaded on first use, because it takes 30 MB that a service without pictures does not need. */
export function loadSharp(): Promise<typeof sharp> {
  return (loading ??= import('sharp').then(({ default: library }) => {
    // Every picture is new, so a cache of operations would only use memory. Each picture uses one thread; several
    // pictures run in parallel instead.
    library.cache(false);
    library.concurrency(1);
    // Only the decoders that we use are enabled, whatever type a file claims. SVG is enabled for our own posters;
    // `kindOf` refuses SVG in uploads.
    library.block({ operation: ['VipsForeignLoad'] });
    library.unblock({
      operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'Svg'].map((name) => 'VipsForeignLoad' + name),
    });
    return library;
  }));
}

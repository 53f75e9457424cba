import type sharp from 'sharp';

let loading: Promise<typeof sharp> | undefined;

/** Loaded at first use: 30 MB that a service without pictures to make need not carry. */
export function loadSharp(): Promise<typeof sharp> {
  return (loading ??= import('sharp').then(({ default: library }) => {
    // Every picture is new, so a cache of operations only holds memory. One thread each: pictures run side by side instead.
    library.cache(false);
    library.concurrency(1);
    // Only the decoders in use can be reached, whatever a file pretends to be. SVG is for our own posters; `kindOf` bars it from uploads.
    library.block({ operation: ['VipsForeignLoad'] });
    library.unblock({
      operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'Svg'].map((name) => 'VipsForeignLoad' + name),
    });
    return library;
  }));
}

// The package has types for the whole player only; the light one is the same with less in it.
declare module 'hls.js/light' {
  export { default } from 'hls.js';
}

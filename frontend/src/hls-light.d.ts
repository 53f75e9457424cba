// The package has types only for the full player; the light one is a subset.
declare module 'hls.js/light' {
  export { default } from 'hls.js';
}

/** The smaller build of hls.js has the same API with fewer features. Its package has no types. */
declare module 'hls.js/light' {
  export { default } from 'hls.js'
}

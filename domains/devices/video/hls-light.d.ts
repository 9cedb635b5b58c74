/** The smaller build is the same without what it leaves out; its package says no types of it. */
declare module 'hls.js/light' {
  export { default } from 'hls.js'
}

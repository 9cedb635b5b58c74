/**
 * Adds the CSS of one of antd's components to the page (apps/web/build/antd-styles.ts), sorted by `place` and before
 * all of our own styles: of two equally specific rules the later one wins.
 */
export function addStyle(place: number, css: string) {
  const style = document.createElement('style')
  style.dataset.place = String(place)
  style.textContent = css
  const existing = [...document.head.querySelectorAll<HTMLStyleElement>('style[data-place]')]
  const before = existing.findLast((one) => Number(one.dataset.place) < place)
  if (before) before.after(style)
  else document.head.prepend(style)
}

/**
 * Puts the style of one of antd's components onto the page (apps/web/build/antd-styles.ts), in the order they were
 * drawn in and before all of ours: of two rules that weigh the same the later one wins.
 */
export function addStyle(place: number, css: string) {
  const style = document.createElement('style')
  style.dataset.place = String(place)
  style.textContent = css
  const there = [...document.head.querySelectorAll<HTMLStyleElement>('style[data-place]')]
  const before = there.findLast((one) => Number(one.dataset.place) < place)
  if (before) before.after(style)
  else document.head.prepend(style)
}

let ruler: CanvasRenderingContext2D | null | undefined
const known = new Map<string, number>()
const MANY = 5000

/** Returns the width of a line of text in the page's font at 14 px, in pixels. */
export function measureTextWidth(text: string): number {
  const before = known.get(text)
  if (before !== undefined) return before
  if (ruler === undefined) {
    ruler = document.createElement('canvas').getContext('2d')
    if (ruler) ruler.font = `14px ${getComputedStyle(document.body).fontFamily}`
  }
  const width = ruler?.measureText(text).width ?? text.length * 14
  if (known.size >= MANY) known.clear()
  known.set(text, width)
  return width
}

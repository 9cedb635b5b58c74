/** A shop for the map, which is drawn to scale without a background: degrees become pixels. */
export type MapPoint = {
  id: string
  name: string
  /** Second line below the name, in smaller type. */ note?: string
  longitude: number
  latitude: number
}
export type MapLabelSide = 'right' | 'left' | 'above' | 'below'
export type ShopMapSpot = {
  id: string
  x: number
  y: number
  /** Side of the name; undefined when it would cover another. */ side?: MapLabelSide
}
export type ShopMapLayout = {
  spots: ShopMapSpot[]
  /** Scale bar: a round number of metres and its width in pixels. */ scale: { metres: number; width: number }
}

const METRES_PER_DEGREE = 111_320
const EDGE = 36
const LINE = 17
const MARK = 11
/** Extra width on the right, where the number of problems is shown beside the marker. */
const BADGE = 18
/** Smallest extent of the map in metres, so that shops of one building do not zoom in endlessly. */
const LEAST_METRES = 600

type Box = { left: number; right: number; top: number; bottom: number }

/** Estimated width of a name in pixels; full-width characters are square. */
export const estimateMapLabelWidth = (name: string): number =>
  [...name].reduce((sum, sign) => sum + (sign.charCodeAt(0) > 0x2e7f ? 13 : 7), 0)

export function layOutShopMap(places: readonly MapPoint[], width: number, height: number): ShopMapLayout {
  const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2
  const [longitude, latitude] = [middle(places.map((one) => one.longitude)), middle(places.map((one) => one.latitude))]
  const east = Math.cos((latitude * Math.PI) / 180) * METRES_PER_DEGREE
  const metres = places.map((one) => ({
    id: one.id,
    long: Math.max(estimateMapLabelWidth(one.name), estimateMapLabelWidth(one.note ?? '')),
    high: one.note ? 2 * LINE : LINE,
    x: (one.longitude - longitude) * east,
    y: (latitude - one.latitude) * METRES_PER_DEGREE,
  }))
  const span = (values: number[]) => Math.max(Math.max(...values) - Math.min(...values), LEAST_METRES)
  const perMetre = Math.min(
    Math.max(width - 2 * EDGE, 1) / span(metres.map(({ x }) => x)),
    Math.max(height - 2 * EDGE, 1) / span(metres.map(({ y }) => y)),
  )
  const marks = metres.map(({ x, y, ...one }) => ({
    ...one,
    x: width / 2 + x * perMetre,
    y: height / 2 + y * perMetre,
  }))
  const taken: Box[] = marks.map(({ x, y }) => ({ left: x - MARK, right: x + MARK, top: y - MARK, bottom: y + MARK }))
  const spots = marks.map(({ id, long, high, x, y }, at): ShopMapSpot => {
    const boxes: Record<MapLabelSide, Box> = {
      right: { left: x + BADGE, right: x + BADGE + 3 + long, top: y - high / 2, bottom: y + high / 2 },
      left: { left: x - MARK - 4 - long, right: x - MARK - 1, top: y - high / 2, bottom: y + high / 2 },
      above: { left: x - long / 2, right: x + long / 2, top: y - MARK - high, bottom: y - MARK - 1 },
      below: { left: x - long / 2, right: x + long / 2, top: y + MARK + 1, bottom: y + MARK + high },
    }
    const side = (Object.keys(boxes) as MapLabelSide[]).find(
      (one) => isInside(boxes[one], width, height) && !taken.some((other, n) => n !== at && overlap(other, boxes[one])),
    )
    if (side) taken.push(boxes[side])
    return { id, x, y, ...(side && { side }) }
  })
  return { spots, scale: scaleOf(perMetre, width) }
}

const isInside = (box: Box, width: number, height: number) =>
  box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height
const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** Returns the longest of 1, 2, 5, 10 … metres that takes at most a quarter of the width. */
function scaleOf(perMetre: number, width: number): ShopMapLayout['scale'] {
  const most = width / 4 / perMetre
  const size = 10 ** Math.floor(Math.log10(most))
  const metres = ([5, 2, 1].find((times) => times * size <= most) ?? 1) * size
  return { metres, width: metres * perMetre }
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layOutShopMap, estimateMapLabelWidth } from './on-map.ts'

const place = fc.record({
  longitude: fc.double({ min: 118, max: 122, noNaN: true }),
  latitude: fc.double({ min: 28, max: 32, noNaN: true }),
  name: fc.constantFrom('西溪湿地店', 'North', '杭州东站西广场二号店'),
  note: fc.constantFrom('¥1,234.00', undefined),
})
const places = fc
  .array(place, { minLength: 1, maxLength: 40 })
  .map((list) => list.map((one, n) => ({ ...one, id: String(n) })))

describe('shops on a map', () => {
  it('lie inside of it, and no name covers another or leaves the picture', () => {
    fc.assert(
      fc.property(places, fc.constantFrom([300, 320], [1100, 420]), (list, [width, height]) => {
        const { spots, scale } = layOutShopMap(list, width, height)
        const boxes = spots.flatMap((spot, at) => {
          expect([spot.x >= 0, spot.x <= width, spot.y >= 0, spot.y <= height]).toEqual([true, true, true, true])
          const { name, note } = list[at]!
          const long = Math.max(estimateMapLabelWidth(name), estimateMapLabelWidth(note ?? ''))
          const high = note ? 34 : 17
          const left =
            spot.side === 'right' ? spot.x + 18 : spot.side === 'left' ? spot.x - 15 - long : spot.x - long / 2
          const top =
            spot.side === 'above' ? spot.y - 11 - high : spot.side === 'below' ? spot.y + 12 : spot.y - high / 2
          return spot.side ? [{ left, right: left + long, top, bottom: top + high - 1 }] : []
        })
        for (const box of boxes) expect(box.left >= 0 && box.right <= width + 4).toBe(true)
        for (const [n, a] of boxes.entries())
          for (const b of boxes.slice(n + 1))
            expect(a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).toBe(false)
        expect(scale.width).toBeLessThanOrEqual(width / 4 + 0.001)
      }),
    )
  })

  it('keep north above south, east right of west, and a kilometre as long both ways', () => {
    const at = (id: string, longitude: number, latitude: number) => ({ id, name: id, longitude, latitude })
    const { spots, scale } = layOutShopMap(
      [at('middle', 120, 30), at('north', 120, 30.01), at('east', 120 + 0.01 / Math.cos((30.005 * Math.PI) / 180), 30)],
      800,
      400,
    )
    const [middle, north, east] = spots
    expect(north!.y).toBeLessThan(middle!.y)
    expect(east!.x).toBeGreaterThan(middle!.x)
    expect(middle!.y - north!.y).toBeCloseTo(east!.x - middle!.x, 6)
    expect((middle!.y - north!.y) / scale.width).toBeCloseTo(1113.2 / scale.metres, 3)
  })

  it('of one house stand where they are and do not fly apart', () => {
    const { spots } = layOutShopMap(
      [
        { id: '1', name: 'A', longitude: 120, latitude: 30 },
        { id: '2', name: 'B', longitude: 120, latitude: 30 },
      ],
      400,
      300,
    )
    expect(spots.map(({ x, y }) => [x, y])).toEqual([
      [200, 150],
      [200, 150],
    ])
  })
})

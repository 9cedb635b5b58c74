import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  BUILT_IN_TAG_TEMPLATES,
  builtInTagLayout,
  drawTagLines,
  parseTagLayout,
  TAG_SIZE_NAMES,
  TAG_SIZES,
} from './tag-templates.ts'

const content = fc.record({
  name: fc.string({ maxLength: 60 }),
  upc: fc.constantFrom('6901234567892', 'G1'),
  spec: fc.constantFrom('', '500ml'),
  unit: fc.constantFrom('', '瓶'),
  priceFen: fc.integer({ min: 0, max: 99_999_999 }),
  memberPriceFen: fc.option(fc.integer({ min: 0, max: 99_999_999 })),
  promotion: fc.constantFrom('', '满30减5', '第二件半价'.repeat(12)),
})

test('whatever goods are called, every line of every template stays inside of every tag', () => {
  const sizes = fc.constantFrom(...TAG_SIZE_NAMES)
  fc.assert(
    fc.property(content, fc.constantFrom(...BUILT_IN_TAG_TEMPLATES), sizes, (shown, template, size) => {
      const [width, height] = TAG_SIZES[size]
      for (const { text, x, y, fontSize } of drawTagLines(builtInTagLayout(template), shown, size)) {
        const wide = [...text].reduce((sum, one) => sum + (one > '\u2e80' ? 1 : 0.56), 0) * fontSize
        expect([x >= 0, y <= height, y - fontSize >= -1, x + wide <= width + 1]).toEqual([true, true, true, true])
      }
    }),
  )
})

test('a tag says the price to the cent, and no member price where there is none', () => {
  const drawnTexts = (memberPriceFen: number | null) =>
    drawTagLines(builtInTagLayout('member'), { name: '矿泉水', priceFen: 250, memberPriceFen }, '2.9').map(
      ({ text }) => text,
    )
  expect(drawnTexts(null)).toEqual(['矿泉水', '¥2.50'])
  expect(drawnTexts(220)).toEqual(['矿泉水', '¥2.50', '会员 ¥2.20'])
})

test('what came with the product may be edited as it is; what cannot be drawn is named by its number', () => {
  for (const template of BUILT_IN_TAG_TEMPLATES)
    expect(parseTagLayout(builtInTagLayout(template))).toEqual({ lines: builtInTagLayout(template) })
  const good = { from: 'price', x: 0.1, y: 0.5, high: 0.3, wide: 0.5 }
  expect(parseTagLayout([{ ...good, isBold: false, onload: 'x' }])).toEqual({ lines: [good] })
  for (const wrong of [
    { ...good, from: 'costPrice' },
    { ...good, x: 0.6 },
    { ...good, y: 0.2 },
    { ...good, high: 2 },
    { ...good, wide: '1' },
    { ...good, from: 'text', text: ' ' },
    null,
  ])
    expect(parseTagLayout([good, wrong])).toEqual({ wrong: 2 })
  for (const none of [[], {}, 'x', Array(13).fill(good)]) expect(parseTagLayout(none)).toEqual({ wrong: 0 })
})

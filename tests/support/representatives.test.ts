import { expect, test } from 'vitest'
import { defineResource, f } from '#kit/resource/index.ts'
import { serve, type ServedResource } from '#kit/server/module/module.ts'
import { featuresOf, representatives, traitsOf } from './representatives.ts'

const words = { zh: '项目', en: 'Item' }
const label = { label: words }

function family(
  name: string,
  more: { tenancy?: 'tenant' | 'platform'; history?: false; money?: true } = {},
): ServedResource {
  const { money, tenancy = 'tenant', history } = more
  return serve(
    defineResource({
      name,
      path: `/api/t/${name}`,
      ...label,
      tenancy,
      ...(history === false && { history }),
      fields: { name: f.text(label), ...(money && { price: f.money(label) }) },
      list: { columns: ['name'] },
    }),
  )
}

const pairsOf = (families: readonly ServedResource[]) =>
  new Set(families.flatMap((one) => traitsOf(one).flatMap((a) => traitsOf(one).map((b) => `${a} & ${b}`))))

test('one of families that differ in nothing stands for all of them', () => {
  expect(representatives([family('a'), family('b'), family('c')])).toHaveLength(1)
})

test('every feature and every pair of traits there is has a family that shows it', () => {
  const all = [
    family('plain'),
    family('alike'),
    family('ofPlatform', { tenancy: 'platform' }),
    family('forgetful', { history: false }),
    family('both', { tenancy: 'platform', history: false }),
    family('priced', { money: true }),
  ]
  const chosen = representatives(all)
  expect(chosen.length).toBeLessThan(all.length)
  expect(new Set(chosen.flatMap(featuresOf))).toEqual(new Set(all.flatMap(featuresOf)))
  expect(pairsOf(chosen)).toEqual(pairsOf(all))
})

test('a family with a kind of field nobody else has is never left out', () => {
  const priced = family('priced', { money: true })
  expect(representatives([family('a'), family('b'), priced])).toContain(priced)
})

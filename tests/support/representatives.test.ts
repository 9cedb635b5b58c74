import { expect, test } from 'vitest'
import { defineResource, f } from '#kit/resource/index.ts'
import { serve, type ServedResource } from '#kit/server/module/module.ts'
import { featuresOf, representatives, traitsOf } from './representatives.ts'

const words = { zh: '项目', en: 'Item' }
const label = { label: words }

function resource(
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

const pairsOf = (resources: readonly ServedResource[]) =>
  new Set(resources.flatMap((one) => traitsOf(one).flatMap((a) => traitsOf(one).map((b) => `${a} & ${b}`))))

test('one of resources that differ in nothing stands for all of them', () => {
  expect(representatives([resource('a'), resource('b'), resource('c')])).toHaveLength(1)
})

test('every feature and every pair of traits there is has a resource that shows it', () => {
  const all = [
    resource('plain'),
    resource('alike'),
    resource('ofPlatform', { tenancy: 'platform' }),
    resource('forgetful', { history: false }),
    resource('both', { tenancy: 'platform', history: false }),
    resource('priced', { money: true }),
  ]
  const chosen = representatives(all)
  expect(chosen.length).toBeLessThan(all.length)
  expect(new Set(chosen.flatMap(featuresOf))).toEqual(new Set(all.flatMap(featuresOf)))
  expect(pairsOf(chosen)).toEqual(pairsOf(all))
})

test('a resource with a kind of field nobody else has is never left out', () => {
  const priced = resource('priced', { money: true })
  expect(representatives([resource('a'), resource('b'), priced])).toContain(priced)
})

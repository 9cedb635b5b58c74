import type { Field, FieldKind, Fields } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import { isPersonalField } from '#kit/fields/base/masks.ts'
import type { ServedResource } from '#kit/server/module/module.ts'

/** Returns a resource's traits, in which resources differ for the kit's code. Two traits may interact. */
export function traitsOf({ resource, hooks }: ServedResource): string[] {
  const { tenancy, writer, remove, restore, history, list, buttons, unique, scope } = resource
  const fields = Object.values(resource.fields as Fields)
  return [
    `tenancy ${tenancy}`,
    `writer ${writer}`,
    `removal ${remove === false ? 'never' : `${remove}${restore ? ', restored' : ''}`}`,
    `history ${history}`,
    `list ${hooks.list ? 'of its own' : list.paged ? 'in pages' : 'whole'}`,
    `unique ${unique.length ? (unique.some((set) => set.length > 1) ? 'together' : 'alone') : 'never'}`,
    `scope ${scope.shop === undefined ? 'none' : scope.shop === 'id' ? 'itself' : 'shop'}`,
    ...(fields.some((field) => fieldKindOf(field).isParent) ? ['tree'] : []),
    ...(hooks.where ? ['narrowed'] : []),
    ...(hooks.present ? ['presented'] : []),
    ...(fields.some(isPersonalField) ? ['personal'] : []),
    ...(buttons.import ? ['import'] : []),
  ]
}

/** Field kinds seen so far; features only need to distinguish them by number. */
const met: FieldKind[] = []

function numberOf(one: FieldKind): number {
  if (!met.includes(one)) met.push(one)
  return met.indexOf(one)
}

/** Returns a resource's features that have code of their own in the kit. Any one resource with a feature tests it. */
export function featuresOf({ resource, hooks }: ServedResource): string[] {
  const has = (value: unknown, name: string) => (value ? [name] : [])
  const ofField = (field: Field): string[] => [
    `field ${numberOf(fieldKindOf(field))}`,
    ...has(field.search, `field ${numberOf(fieldKindOf(field))} searched by ${String(field.search)}`),
    ...has(field.form, `form ${field.form}`),
    ...has(field.secret, 'secret'),
    ...has(field.mask, `mask ${JSON.stringify(field.mask)}`),
    ...has(field.computed, 'computed'),
    ...has(field.requiredWhen, 'required beside another'),
    ...has(field.pattern, 'pattern'),
  ]
  return [
    ...traitsOf({ resource, hooks, actions: {} }),
    ...Object.values(resource.fields as Fields).flatMap(ofField),
    ...Object.keys(hooks)
      .filter((name) => hooks[name as keyof typeof hooks] !== undefined)
      .map((name) => `hook ${name}`),
    ...(hooks.without ?? []).map((call) => `without ${call}`),
    ...has(resource.createPath, 'added by another call'),
    ...has(resource.appendOnly, 'only added to'),
    ...has(resource.partitioned, 'partitioned'),
    ...has(resource.indexedList, 'big'),
    ...has(resource.retentionDays, 'forgotten'),
    ...has(resource.uniqueEverywhere.length, 'unique everywhere'),
    ...has(resource.list.inline.length, 'changed in its cell'),
    ...has(resource.list.bulk.length, 'set for many'),
  ]
}

/** Returns all pairs of traits of a resource, and its features. */
function kindsOf(served: ServedResource): string[] {
  const traits = traitsOf(served)
  const pairs = traits.flatMap((one, at) => traits.slice(at + 1).map((other) => `${one} & ${other}`))
  return [...pairs, ...featuresOf(served)]
}

/**
 * Returns a small set of resources that shows every feature and every pair of traits, in the given order. Testing the
 * kit on them is as good as on all.
 */
export function representatives(resources: readonly ServedResource[]): ServedResource[] {
  const kinds = new Map(resources.map((one) => [one, new Set(kindsOf(one))]))
  const missing = new Set([...kinds.values()].flatMap((own) => [...own]))
  const chosen = new Set<ServedResource>()
  const shows = (one: ServedResource) => [...kinds.get(one)!].filter((word) => missing.has(word)).length
  while (missing.size) {
    const best = resources.reduce((most, one) => (shows(one) > shows(most) ? one : most))
    for (const word of kinds.get(best)!) missing.delete(word)
    chosen.add(best)
  }
  return resources.filter((one) => chosen.has(one))
}

import { describe, expect, test } from 'vitest'
import { fieldKindOf, isTimeField, isWriteOnlyField } from '#kit/fields/kinds.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import { isCodeField, rowFieldOf, rowLayoutOf } from '#kit/resource/row-layout.ts'
import { createModuleRegistry } from '#kit/server/mount/mount.ts'
import { productModules } from './modules.ts'

const resources = createModuleRegistry(productModules).modules.flatMap((module) =>
  (module.resources ?? []).map(({ resource }) => resource),
)

/** Resources whose rows have nothing but a number or code that people know them by. */
const KNOWN_BY_NUMBER = ['client', 'tenantRemoval', 'modelPrototype', 'workDevice', 'aiUsage']

const partsOf = (resource: Resource<any, any>): string[] => {
  const { title, sub, number, amount, state, time, picture, below, late, warn } = rowLayoutOf(resource)
  const keys = [...title, ...sub, number, amount?.key, amount?.from, state, time, picture, below, late]
  return [...keys, ...Object.keys(warn)].filter((key): key is string => typeof key === 'string')
}

const faultsOf = (check: (resource: Resource<any, any>) => readonly string[]): string[] =>
  resources.flatMap((resource) => check(resource).map((fault) => `${resource.name}: ${fault}`))

describe('the two lines of a row', () => {
  test('are known for every resource, and name no field it does not have, nor one nobody may read', () => {
    expect(resources.length).toBeGreaterThan(170)
    expect(
      faultsOf((resource) =>
        partsOf(resource).filter((key) => {
          const field = rowFieldOf(resource, key)
          return !field || isWriteOnlyField(field)
        }),
      ),
    ).toEqual([])
  })

  test('are titled by words: by no number, code or time alone', () => {
    const isSaying = (resource: Resource<any, any>, key: string) => {
      const field = rowFieldOf(resource, key)!
      return !isCodeField(key, field) && !isTimeField(field) && fieldKindOf(field).readsAs !== 'number'
    }
    expect(
      faultsOf((resource) => {
        const { title } = rowLayoutOf(resource)
        if (KNOWN_BY_NUMBER.includes(resource.name)) return []
        return title.some((key) => isSaying(resource, key)) ? [] : [title.join()]
      }),
    ).toEqual([])
  })

  test('say an amount that is a number, a state that is a choice or a number, and a time that is a time', () => {
    expect(
      faultsOf((resource) => {
        const { amount, state, time, late, picture, group } = rowLayoutOf(resource)
        const kindOf = (key: string) => fieldKindOf(rowFieldOf(resource, key)!)
        const isTime = (key: string | false | undefined) => !key || isTimeField(rowFieldOf(resource, key)!)
        return [
          amount && kindOf(amount.key).readsAs !== 'number' ? `amount ${amount.key}` : '',
          state && kindOf(state).choices === undefined && kindOf(state).readsAs !== 'number' ? `state ${state}` : '',
          isTime(time) ? '' : `time ${String(time)}`,
          isTime(late) ? '' : `late ${late}`,
          picture && rowFieldOf(resource, picture)!.mask ? `picture ${picture} is masked` : '',
          group === 'day' && !time ? 'days without a time' : '',
        ].filter(Boolean)
      }),
    ).toEqual([])
  })

  test('offer at most two swipes, and say no field twice', () => {
    expect(
      faultsOf((resource) => {
        const { swipe, title, sub, amount, state } = rowLayoutOf(resource)
        const named = [...title, ...sub, amount?.key, state].filter(Boolean)
        return [
          swipe.length > 2 ? 'swipe' : '',
          ...named.filter((key, at) => named.indexOf(key) !== at).map((key) => `twice: ${key}`),
        ].filter(Boolean)
      }),
    ).toEqual([])
  })

  test('sum by days only what the list is ordered by', () => {
    const byDay = resources.filter((resource) => rowLayoutOf(resource).group === 'day')
    expect(byDay.length).toBeGreaterThan(40)
    expect(byDay.filter(({ list }) => !list.paged || !list.sort.startsWith('-')).map(({ name }) => name)).toEqual([])
  })
})

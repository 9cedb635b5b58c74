import { describe, expect, it } from 'vitest'
import { f } from '#kit/resource/index.ts'
import type { Filters } from './filters.ts'
import { listParams, readState, startState, withFilters, writeState } from './list-state.ts'

const fields = {
  name: f.text({ label: { zh: '名', en: 'Name' }, search: 'like' }),
  price: f.money({ label: { zh: '价', en: 'Price' } }),
}

describe('the address of a list', () => {
  it('reproduces filters, sort, page and the open row', () => {
    const state = {
      filters: { name_like: '茶 & 咖啡', createTime_dategt: '2026-01-01' },
      current: 3,
      size: 50,
      sort: { key: 'price', descending: true },
      detail: '7',
    }
    expect(readState(writeState(state), fields)).toEqual(state)
  })

  it('stays plain for a plain view', () => {
    expect(writeState(startState())).toBe('')
    expect(readState('', fields)).toEqual(startState())
  })

  it('that says no filter begins with those its page begins with, and says so when all is wanted instead', () => {
    const start = { name_like: '茶' }
    expect(readState('', fields, start).filters).toEqual(start)
    expect(readState('?detail=7', fields, start)).toEqual({ ...startState(), filters: start, detail: '7' })
    expect(readState('?view=12', fields, start).filters).toEqual({})
    for (const filters of [start, {}, { price_ge: '1' }] as Filters[]) {
      const state = { ...startState(), filters }
      expect(readState(writeState(state, start), fields, start)).toEqual(state)
    }
    expect(writeState({ ...startState(), filters: start }, start)).toBe('')
    expect(writeState(startState())).not.toMatch(/all/)
  })

  it('ignores nonsense', () => {
    expect(readState('?current=-4&size=7&descs=evil&drop_table=1&name_like=', fields)).toEqual(startState())
    expect(readState('?current=1e9&size=10000', fields)).toEqual(startState())
    for (const name of [
      'constructor',
      '__proto__',
      'toString',
      'hasOwnProperty',
      'constructor_like',
      'name_constructor',
      'name_nonsense',
    ])
      expect(readState(`?${name}=1&descs=${name}`, fields)).toEqual(startState())
  })

  it('takes the page for no filter where a field has the name of a word of paging', () => {
    const named = {
      ...fields,
      size: f.number({ label: { zh: '大小', en: 'Size' }, search: 'range' }),
      current: f.number({ label: { zh: '电流', en: 'Current' } }),
      view: f.text({ label: { zh: '视图', en: 'View' } }),
    }
    const state = { filters: { size_ge: '5' }, current: 3, size: 30, detail: '7', view: { id: '12', isChanged: true } }
    expect(readState(writeState(state), named)).toEqual(state)
  })

  it('sends ascending and descending sorts apart', () => {
    expect(listParams({ ...startState(), sort: { key: 'price', descending: false } })).toEqual({ ascs: 'price' })
    expect(listParams({ ...startState(), sort: { key: 'price', descending: true } })).toEqual({ descs: 'price' })
  })
})

describe('other filters', () => {
  it('begin at the first page and drop what is empty', () => {
    const state = { ...startState(), current: 4, filters: { name_like: 'a', price_ge: '1' } }
    expect(withFilters(state, { name_like: '', price_le: '9' })).toMatchObject({
      current: 1,
      filters: { price_ge: '1', price_le: '9' },
    })
  })
})

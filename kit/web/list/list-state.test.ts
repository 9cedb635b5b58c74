import { describe, expect, it } from 'vitest'
import { f } from '#kit/resource/index.ts'
import type { ActiveFilters } from './filters.ts'
import { listQueryParams, parseListState, initialListState, withListFilters, listStateToQuery } from './list-state.ts'

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
    expect(parseListState(listStateToQuery(state), fields)).toEqual(state)
  })

  it('stays plain for a plain view', () => {
    expect(listStateToQuery(initialListState())).toBe('')
    expect(parseListState('', fields)).toEqual(initialListState())
  })

  it('that says no filter begins with those its page begins with, and says so when all is wanted instead', () => {
    const start = { name_like: '茶' }
    expect(parseListState('', fields, start).filters).toEqual(start)
    expect(parseListState('?detail=7', fields, start)).toEqual({ ...initialListState(), filters: start, detail: '7' })
    expect(parseListState('?view=12', fields, start).filters).toEqual({})
    for (const filters of [start, {}, { price_ge: '1' }] as ActiveFilters[]) {
      const state = { ...initialListState(), filters }
      expect(parseListState(listStateToQuery(state, start), fields, start)).toEqual(state)
    }
    expect(listStateToQuery({ ...initialListState(), filters: start }, start)).toBe('')
    expect(listStateToQuery(initialListState())).not.toMatch(/all/)
  })

  it('ignores nonsense', () => {
    expect(parseListState('?current=-4&size=7&descs=evil&drop_table=1&name_like=', fields)).toEqual(initialListState())
    expect(parseListState('?current=1e9&size=10000', fields)).toEqual(initialListState())
    for (const name of [
      'constructor',
      '__proto__',
      'toString',
      'hasOwnProperty',
      'constructor_like',
      'name_constructor',
      'name_nonsense',
    ])
      expect(parseListState(`?${name}=1&descs=${name}`, fields)).toEqual(initialListState())
  })

  it('takes the page for no filter where a field has the name of a word of paging', () => {
    const named = {
      ...fields,
      size: f.number({ label: { zh: '大小', en: 'Size' }, search: 'range' }),
      current: f.number({ label: { zh: '电流', en: 'Current' } }),
      view: f.text({ label: { zh: '视图', en: 'View' } }),
    }
    const state = { filters: { size_ge: '5' }, current: 3, size: 30, detail: '7', view: { id: '12', isChanged: true } }
    expect(parseListState(listStateToQuery(state), named)).toEqual(state)
  })

  it('sends ascending and descending sorts apart', () => {
    expect(listQueryParams({ ...initialListState(), sort: { key: 'price', descending: false } })).toEqual({
      ascs: 'price',
    })
    expect(listQueryParams({ ...initialListState(), sort: { key: 'price', descending: true } })).toEqual({
      descs: 'price',
    })
  })
})

describe('other filters', () => {
  it('begin at the first page and drop what is empty', () => {
    const state = { ...initialListState(), current: 4, filters: { name_like: 'a', price_ge: '1' } }
    expect(withListFilters(state, { name_like: '', price_le: '9' })).toMatchObject({
      current: 1,
      filters: { price_ge: '1', price_le: '9' },
    })
  })
})

import { describe, expect, it } from 'vitest'
import { arrangeColumns, moveColumn, parseListSettings, columnSettingsOf } from './list-settings.ts'

const columns = [
  { key: 'a', width: 100 },
  { key: 'b', width: 100 },
  { key: 'c', width: 100 },
  { key: 'd', width: 100, hidden: true },
]
const keys = (list: { key: string }[]) => list.map(({ key }) => key).join('')

describe('columns as a user wants them', () => {
  it('stand in the order, width and visibility that was kept', () => {
    const arranged = arrangeColumns(columns, {
      columns: [{ key: 'c' }, { key: 'a', width: 240 }, { key: 'b', hidden: true }, { key: 'd' }],
    })
    expect(keys(arranged)).toBe('cabd')
    expect(arranged).toMatchObject([{ hidden: false }, { width: 240 }, { hidden: true }, { hidden: false }])
  })

  it('show a column that is new to the user after its neighbour, and forget one that is gone', () => {
    expect(keys(arrangeColumns(columns, { columns: [{ key: 'c' }, { key: 'gone' }, { key: 'a' }] }))).toBe('cdab')
  })

  it('stay as declared without settings', () => {
    expect(arrangeColumns(columns, { columns: [] })).toEqual(columns)
  })

  it('move by a place and before another', () => {
    expect(keys(moveColumn(columns, 'c', -1))).toBe('acbd')
    expect(keys(moveColumn(columns, 'a', -1))).toBe('abcd')
    expect(keys(moveColumn(columns, 'a', { before: 'd' }))).toBe('bcad')
    expect(keys(moveColumn(columns, 'd', { before: 'a' }))).toBe('dabc')
  })

  it('survive whatever lies on the server', () => {
    expect(parseListSettings(undefined)).toEqual({ columns: [] })
    expect(parseListSettings({ columns: 'x', density: 'huge' })).toEqual({ columns: [] })
    expect(
      parseListSettings({ columns: [null, { key: 5 }, { key: 'a', hidden: 'yes', width: 3 }], density: 'small' }),
    ).toEqual({ columns: [{ key: 'a' }], density: 'small' })
  })

  it('are kept without what is usual', () => {
    expect(
      columnSettingsOf(
        [
          { key: 'a', hidden: false },
          { key: 'b', hidden: true },
        ],
        { a: { width: 90 } },
      ),
    ).toEqual([
      { key: 'a', width: 90 },
      { key: 'b', hidden: true },
    ])
  })
})

import { describe, expect, test } from 'vitest'
import type { ForeignColumn } from './columns.ts'
import { createModelColumn, proposeModelColumns, completeLegacyColumn, type GeneratorCatalogue } from './part.ts'
import { mergeTableColumns } from './read-again.ts'
import { parseAllowedValues } from './tables.client.ts'

const known: GeneratorCatalogue = { resources: new Map(), words: new Map() }
const column = (more: Partial<ForeignColumn>): ForeignColumn => ({
  name: 'one',
  type: 'text',
  base: 'text',
  length: 0,
  decimals: 0,
  isRequired: false,
  isList: false,
  isUnsigned: false,
  isKey: false,
  isMade: false,
  value: '',
  comment: '',
  values: [],
  refTable: '',
  uniques: [],
  ...more,
})
const partOf = (more: Partial<ForeignColumn>) => proposeModelColumns([column(more)], known)[0]!

describe('a column', () => {
  test.each(['double precision', 'double', 'real', 'float', 'numeric'])('of %s has decimals', (type) =>
    expect(partOf({ type, base: type })).toMatchObject({ fieldKind: 'number', columnScale: 4 }),
  )

  test('that says how many decimals it has, or that it has none, keeps them', () => {
    expect(partOf({ type: 'numeric(10,0)', base: 'numeric' }).columnScale).toBe(0)
    expect(partOf({ type: 'numeric(10,1)', base: 'numeric', decimals: 1 }).columnScale).toBe(1)
    expect(partOf({ type: 'integer', base: 'integer' }).columnScale).toBe(0)
  })

  test('an older client calls Double is no whole number', () =>
    expect(
      completeLegacyColumn(createModelColumn({ jdbcName: 'w', propertyType: 'Double', fieldKind: '' })),
    ).toMatchObject({
      fieldKind: 'number',
      columnScale: 4,
    }))

  test.each([
    [
      "CHECK (((state)::text = ANY ((ARRAY['a'::character varying, 'it''s'::character varying(9)])::text[])))",
      ['a', "it's"],
    ],
    ['CHECK ((state = ANY (ARRAY[1, 2, -3])))', ['1', '2', '-3']],
    ["`state` in ('warm','cold')", ['warm', 'cold']],
    ["(`state` in (_utf8mb4\\'warm\\',_utf8mb4\\'cold\\'))", ['warm', 'cold']],
    ['("state" in (10, 20))', ['10', '20']],
    ["CHECK (((state = ANY (ARRAY['a'::text, 'b'::text])) OR (other > 3)))", []],
    ["CHECK ((other = ANY (ARRAY['a'::text, 'b'::text])))", []],
    ['CHECK ((state > 0))', []],
    ['json_valid(`state`)', []],
  ])('whose rule is %s may be %j', (rule, values) => expect(parseAllowedValues(rule, 'state')).toEqual(values))

  test('that may be one of a few is a dictionary of them, by number too', () =>
    expect(
      partOf({ type: 'integer', base: 'integer', values: ['1', '2'], comment: '温层：1常温 2冷藏' }),
    ).toMatchObject({
      fieldKind: 'dict',
      options: [
        { key: '1', zh: '常温' },
        { key: '2', zh: '冷藏' },
      ],
    }))
})

describe('a table read again', () => {
  const was = partOf({ base: 'enum', values: ['warm', 'cold'] })
  const own = { ...was, options: [{ key: 'warm', zh: '常温', en: 'Ambient' }, was.options[1]!] }

  test('adds the new words of an enumeration, and leaves those somebody wrote', () => {
    const now = partOf({ base: 'enum', values: ['warm', 'cold', 'frozen'] })
    const { parts, changed } = mergeTableColumns([own], [now])
    expect(changed).toBe(1)
    expect(parts[0]!.options).toEqual([...own.options, { key: 'frozen', zh: 'frozen', en: 'Frozen' }])
    expect(mergeTableColumns(parts, [now]).changed).toBe(0)
  })

  test('marks the columns it has no more, and none that somebody added without one', () => {
    const { parts, gone } = mergeTableColumns([own, { ...createModelColumn({}), isAdded: true }], [])
    expect(gone).toBe(1)
    expect(parts.map(({ isGone }) => isGone)).toEqual([true, false])
  })
})
